import { formatIp, parseIp } from '../kit/ip-address.ts';
import { parseHostMac } from './host-mac.ts';

/** An entry of the kernel's neighbour table: the MAC address behind an IP address of the same link. */
export type Neighbour = { readonly address: string; readonly mac: string };

const COMPLETE = 0x02;

/** `/proc/net/arp`: IPv4 only. */
export const parseArpTable = (text: string): readonly Neighbour[] =>
  text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [address = '', , flags = '0', mac = ''] = line.trim().split(/\s+/);
      return (Number(flags) & COMPLETE) === 0 ? [] : neighbour(address, mac);
    });

/** Output of `ip neigh`, both families. Entries without a MAC address are incomplete or have failed. */
export const parseIpNeighbours = (text: string): readonly Neighbour[] =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...words] = line.trim().split(/\s+/);
    const mac = words[words.indexOf('lladdr') + 1];
    return words.includes('lladdr') && mac !== undefined && !words.includes('FAILED') ? neighbour(address, mac) : [];
  });

function neighbour(addressText: string, macText: string): Neighbour[] {
  const address = parseIp(addressText);
  const mac = parseHostMac(macText);
  return address && mac !== undefined ? [{ address: formatIp(address), mac }] : [];
}
