import { parseIp } from '../../kit/ip-address.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Settled } from '../match/rewrites.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/**
 * What a line of a hosts file says of one of its names: it is blocked, and in a list that is marked as answering it
 * gets the address of the line. `0.0.0.0` and `::` are nobody's address; such lines block in any list.
 */
export function hostsLineRule(address: string, name: string, answering: boolean): Rule {
  const block: Rule = { allow: false, pattern: { kind: 'exact', name }, important: false, badfilter: false };
  const ip = answering ? parseIp(address) : undefined;
  if (!ip || ip.bytes.every((byte) => byte === 0)) return block;
  const type = ip.family === 'V4' ? TYPE_A : TYPE_AAAA;
  const value = { kind: 'address', bytes: Uint8Array.from(ip.bytes) } as const;
  return { ...block, rewrite: { kind: 'record', type, value } };
}

/** The first address of the family that is asked for answers; for all other types the name has nothing. */
export function settleHostsLines<T extends { readonly rule: Rule }>(
  lines: readonly T[],
  type: number,
): Settled<T> | undefined {
  const by = lines.find(({ rule }) => rule.rewrite?.kind === 'record' && rule.rewrite.type === type) ?? lines[0];
  const { rewrite } = by?.rule ?? {};
  if (!by || rewrite?.kind !== 'record') return undefined;
  return { rewrite: { kind: 'records', type, values: rewrite.type === type ? [rewrite.value] : [] }, by };
}
