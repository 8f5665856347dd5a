import { parseMac } from '../kit/mac-address.ts';

/** The MAC address of a host; excludes group addresses and the empty address of incomplete table entries. */
export function parseHostMac(text: string): string | undefined {
  const mac = parseMac(text);
  return mac !== undefined && (Number.parseInt(mac.slice(0, 2), 16) & 0x01) === 0 && mac !== '00:00:00:00:00:00'
    ? mac
    : undefined;
}
