import { networkInterfaces } from 'node:os';
import { formatIp, type IpAddress, parseIp, unmapped } from '../../kit/ip-address.ts';

/** An address on which this program answers. */
export type Listener = { readonly address: string; readonly port: number };

type Target = (address: string, port: number) => boolean;

/** Whether a query sent there would loop back to this program. */
export function selfAddresses(listening: readonly Listener[], interfaces = machineAddresses): Target {
  return (address, port) => {
    const ip = plain(address);
    if (!ip) return false;
    return listening.some((listener) => listener.port === port && reaches(ip, plain(listener.address), interfaces));
  };
}

function reaches(ip: IpAddress, listener: IpAddress | undefined, interfaces: () => readonly string[]): boolean {
  if (!listener) return false;
  const text = formatIp(ip);
  if (!isAny(listener)) return text === formatIp(listener) || (isAny(ip) && isLoopback(listener));
  // An IPv6 wildcard socket also receives IPv4.
  if (listener.family === 'V4' && ip.family === 'V6') return false;
  return isAny(ip) || isLoopback(ip) || interfaces().some((address) => address === text);
}

const plain = (address: string): IpAddress | undefined => {
  const ip = parseIp(address.replace(/%.*/, ''));
  return ip && unmapped(ip);
};

const isAny = ({ bytes }: IpAddress): boolean => bytes.every((byte) => byte === 0);
const isLoopback = ({ family, bytes }: IpAddress): boolean =>
  family === 'V4' ? bytes[0] === 127 : bytes.every((byte, at) => byte === (at === 15 ? 1 : 0));

const machineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => plain(address) ?? [])
    .map(formatIp);
