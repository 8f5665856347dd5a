import { formatIp, type IpAddress, parseIpOf } from '../kit/ip-address.ts';
import { isObject } from '../kit/is-object.ts';
import { type BlockingSettings, blockingModes } from './profile.ts';
import { oneOf, type Read, refuse, section, type Update } from './read-update.ts';

/** An empty address or null removes the address. */
export type BlockingUpdate = Update<{ mode: BlockingSettings['mode']; ipv4: string | null; ipv6: string | null }>;

const blockingAddress =
  (family: IpAddress['family'], what: string): Read<string | undefined> =>
  (requested, current, field, errors) => {
    if (requested === null || requested === '') return undefined;
    const ip = typeof requested === 'string' ? parseIpOf(family, requested.trim()) : undefined;
    return ip ? formatIp(ip) : refuse(current, field, `must be an ${what} address`, errors);
  };

const blockingMembers = section<BlockingSettings>({
  mode: ['blocking_mode', oneOf(blockingModes)],
  ipv4: ['ipv4_blocking_address', blockingAddress('V4', 'IPv4')],
  ipv6: ['ipv6_blocking_address', blockingAddress('V6', 'IPv6')],
});

export const blocking: Read<BlockingSettings> = (requested, current, field, errors) => {
  const next = blockingMembers(requested, current, field, errors);
  if (!isObject(requested)) return next;
  if (requested['mode'] === undefined) errors.add(`${field}.blocking_mode`, 'is required', 'required');
  else if (next.mode === 'CUSTOM_IP' && !next.ipv4 && !next.ipv6 && !isWrongAddress(requested))
    errors.add(`${field}.ipv4_blocking_address`, 'CUSTOM_IP needs an IPv4 or an IPv6 address', 'required');
  return next;
};

// A rejected address already has an error.
const isWrongAddress = ({ ipv4, ipv6 }: Readonly<Record<string, unknown>>): boolean => Boolean(ipv4) || Boolean(ipv6);
