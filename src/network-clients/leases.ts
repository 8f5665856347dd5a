import { formatIp, parseIp } from '../kit/ip-address.ts';
import { parseHostMac } from './host-mac.ts';
import { parseHostName } from './host-name.ts';

/** An active DHCP lease. IPv6 leases have no reliable MAC address. */
export type Lease = { readonly address: string; readonly mac: string | undefined; readonly name: string | undefined };

/** Active leases of a file of dnsmasq, ISC dhcpd or Kea (memfile, CSV). The format is detected by the content. */
export function parseLeases(text: string, now: number): readonly Lease[] {
  const first = /^(?!#)\S.*/m.exec(text)?.[0] ?? '';
  if (first.startsWith('address,')) return parseKeaLeases(text, now);
  return /^\s*lease\s+\S+\s*\{/m.test(text) ? parseIscLeases(text, now) : parseDnsmasqLeases(text, now);
}

/** `expiry mac address name client-id`. After a line `duid …` follow IPv6 leases, with an IAID in place of the MAC address. */
function parseDnsmasqLeases(text: string, now: number): readonly Lease[] {
  return text.split('\n').flatMap((line) => {
    const [expiry = '', mac = '', address = '', name = ''] = line.trim().split(/\s+/);
    if (!/^\d+$/.test(expiry) || isExpired(Number(expiry), now)) return [];
    // Hardware types other than Ethernet are a prefix: `06-aa:bb:…`.
    return lease(address, mac.replace(/^[0-9a-f]{2}-(?=..:)/i, ''), name);
  });
}

/** The last entry of an address is the current one. */
function parseIscLeases(text: string, now: number): readonly Lease[] {
  const current = new Map<string, Lease[]>();
  for (const [, address = '', body = ''] of text.matchAll(/^\s*lease\s+(\S+)\s*\{([^}]*)\}/gm)) {
    const state = /^\s*binding state (\w+);/m.exec(body)?.[1];
    const ends = iscTime(/^\s*ends ([^;]+);/m.exec(body)?.[1]);
    const mac = /^\s*hardware ethernet ([^;]+);/m.exec(body)?.[1] ?? '';
    const name = /^\s*client-hostname "([^"]*)";/m.exec(body)?.[1] ?? '';
    const isActive = (state ?? 'active') === 'active' && !isExpired(ends, now);
    current.set(address, isActive ? lease(address, mac, name) : []);
  }
  return [...current.values()].flat();
}

/** Seconds of `4 2026/11/19 12:00:00`, `epoch 1763553600` or `never`; 0 is never. */
function iscTime(text = 'never'): number {
  const epoch = /^epoch (\d+)/.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch);
  const [, year, month, day, time] = /^\d (\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  return time === undefined ? 0 : Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000;
}

const KEA_ACTIVE = '0';

/** A journal with a header line: the last entry of an address is the current one. */
function parseKeaLeases(text: string, now: number): readonly Lease[] {
  const [head = '', ...rows] = text.split(/\r?\n/);
  const columns = head.split(',');
  const current = new Map<string, Lease[]>();
  for (const row of rows) {
    const cells = row.split(',');
    const cell = (name: string): string => keaText(cells[columns.indexOf(name)] ?? '');
    const isActive = cell('state') === KEA_ACTIVE && !isExpired(Number(cell('expire')), now);
    const address = cell('address');
    const mac = columns.includes('duid') ? '' : cell('hwaddr');
    current.set(address, isActive ? lease(address, mac, cell('hostname')) : []);
  }
  return [...current.values()].flat();
}

const keaText = (cell: string): string =>
  cell.replace(/&#x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const isExpired = (endSeconds: number, now: number): boolean => endSeconds !== 0 && endSeconds * 1000 <= now;

function lease(addressText: string, macText: string, nameText: string): Lease[] {
  const address = parseIp(addressText);
  if (!address) return [];
  const mac = address.family === 'V4' ? parseHostMac(macText) : undefined;
  return [{ address: formatIp(address), mac, name: parseHostName(nameText) }];
}
