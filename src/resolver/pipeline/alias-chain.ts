import type { ResourceRecord } from '../../dns/message.ts';
import { classes, types } from '../../dns/numbers.ts';
import type { Rewritten } from '../../engine/verdict.ts';
import { wireName } from '../../kit/wire-name.ts';
import { findLocally } from '../local-names/decide-locally.ts';
import type { Forward, LocalNames } from '../local-names/local-names.ts';
import { foldedName } from '../upstream/upstream-query.ts';
import { rewrittenRecords } from './rewritten-answer.ts';

/** How the target of the last alias is answered. */
type ChainEnd =
  | { readonly kind: 'record' | 'rewritten'; readonly answer: readonly ResourceRecord[] }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'blocked' | 'loop' | 'malformed' }
  /** Resolved, by the upstreams of a forwarding rule if one applies. */
  | { readonly kind: 'resolve'; readonly forward: Forward | undefined };

export type AliasChain = {
  readonly aliases: readonly ResourceRecord[];
  readonly name: Uint8Array;
  readonly end: ChainEnd;
};

type Verdict = { readonly kind: string; readonly rewrite?: Rewritten | undefined };

type ChainRules = {
  readonly type: number;
  readonly names: LocalNames | undefined;
  readonly decide: (name: Uint8Array) => Verdict;
  /** TTL of rewritten records, in seconds. */
  readonly ttl: number;
};

const MAX_ALIASES = 8;

/**
 * Follows aliases: each target is answered like a queried name, by local records, rules and forwarding rules, in this order. Search domains
 * apply to queried names only. Without side effects; used by the resolver and by `explain`.
 */
export function followChain(records: readonly ResourceRecord[], { type, names, decide, ttl }: ChainRules): AliasChain {
  const aliases = [...records];
  let name = records.at(-1)!.data;
  const chain = (end: ChainEnd): AliasChain => ({ aliases, name, end });
  for (;;) {
    if (aliases.length > MAX_ALIASES) return chain({ kind: 'loop' });
    const local = names && findLocally(names, foldedName(name), type);
    if (local?.kind === 'loop') return chain(local);
    if (local?.kind === 'records') return chain({ kind: 'record', answer: local.answer });
    if (local?.kind === 'alias') {
      aliases.push(...local.aliases);
      name = local.aliases.at(-1)!.data;
      continue;
    }
    const verdict = decide(name);
    if (verdict.kind === 'block') return chain({ kind: 'blocked' });
    const rewrite = verdict.kind === 'rewrite' ? verdict.rewrite! : undefined;
    if (!rewrite) return chain({ kind: 'resolve', forward: local });
    if (rewrite.kind === 'code') return chain({ kind: 'code', code: rewrite.code });
    if (rewrite.kind === 'records')
      return chain({ kind: 'rewritten', answer: rewrittenRecords(name, rewrite.type, rewrite.values, ttl) });
    const alias = aliasRecord(name, rewrite.target, ttl);
    if (!alias) return chain({ kind: 'malformed' });
    aliases.push(alias);
    name = alias.data;
  }
}

/** Undefined if the target is not a domain name. */
export function aliasRecord(name: Uint8Array, target: string, ttl: number): ResourceRecord | undefined {
  const data = wireName(target);
  return data && { name, type: types.CNAME, class: classes.IN, ttl, data };
}
