import { parseMac } from '../kit/mac-address.ts';

/** The MAC address of one host: not that of a group, and not the empty one of incomplete table entries. */
export function parseHostMac(text: string): string | undefined {
  const mac = parseMac(text);
  return mac !== undefined && (Number.parseInt(mac.slice(0, 2), 16) & 0x01) === 0 && mac !== '00:00:00:00:00:00'
    ? mac
    : undefined;
}
