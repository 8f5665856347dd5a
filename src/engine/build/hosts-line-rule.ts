import { parseIp } from '../../kit/ip-address.ts';
import type { Rule } from '../../rules/rule.ts';
import type { CombinedRewrite } from '../match/rewrites.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/**
 * The rule of a hosts line for one of its names: block, or in a list marked as answering, answer with the address of
 * the line. Lines with `0.0.0.0` or `::` block in any list.
 */
export function hostsLineRule(address: string, name: string, answering: boolean): Rule {
  const block: Rule = { allow: false, pattern: { kind: 'exact', name }, important: false, badfilter: false };
  const ip = answering ? parseIp(address) : undefined;
  if (!ip || ip.bytes.every((byte) => byte === 0)) return block;
  const type = ip.family === 'V4' ? TYPE_A : TYPE_AAAA;
  const value = { kind: 'address', bytes: Uint8Array.from(ip.bytes) } as const;
  return { ...block, rewrite: { kind: 'record', type, value } };
}

/** The first address of the queried family is the answer; for all other types the answer is empty. */
export function combineHostsLines<T extends { readonly rule: Rule }>(
  lines: readonly T[],
  type: number,
): CombinedRewrite<T> | undefined {
  const by = lines.find(({ rule }) => rule.rewrite?.kind === 'record' && rule.rewrite.type === type) ?? lines[0];
  const { rewrite } = by?.rule ?? {};
  if (!by || rewrite?.kind !== 'record') return undefined;
  return { rewrite: { kind: 'records', type, values: rewrite.type === type ? [rewrite.value] : [] }, by };
}
