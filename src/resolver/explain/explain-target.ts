import type { SourceVerdict } from '../../engine/explain/explain.ts';
import { codeName } from '../../kit/dns-numbers.ts';
import { nameText } from '../../kit/wire-name.ts';
import { decideLocally } from '../local-names/decide-locally.ts';
import type { LocalNames } from '../local-names/local-names.ts';
import { type AliasChain, aliasRecord, followChain } from '../pipeline/alias-chain.ts';
import { lineOf } from './explain-local.ts';

/** How the target of a CNAME that a rule or a local record returns is answered. */
export type ExplainedTarget = {
  /** The last target, if targets lead to others. */
  readonly name: string;
  /** `resolve`: by the upstreams of the DNS server. */
  readonly kind: 'record' | 'rewritten' | 'code' | 'blocked' | 'loop' | 'malformed' | 'forward' | 'resolve';
  /** Records of all targets, and the response code of `code`. */
  readonly answer: readonly string[];
  readonly upstreams: readonly string[];
};

type Means = {
  readonly names: LocalNames | undefined;
  /** The decision for the queried name. */
  readonly verdict: SourceVerdict;
  readonly verdictFor: (target: Uint8Array) => SourceVerdict;
};

/** Undefined if the answer is not a CNAME. */
export function explainTarget(
  { name, type }: { readonly name: Uint8Array; readonly type: number },
  { names, verdict, verdictFor }: Means,
): ExplainedTarget | undefined {
  const local = names ? decideLocally(names, name, type) : undefined;
  const rewrite = verdict.kind === 'rewrite' ? verdict.rewrite : undefined;
  const ruleAlias = rewrite?.kind === 'cname' ? aliasRecord(name, rewrite.target, 0) : undefined;
  const isByRule = local === undefined || local.kind === 'none' || local.kind === 'forward';
  const aliases = local?.kind === 'alias' ? local.aliases : isByRule && ruleAlias ? [ruleAlias] : undefined;
  return aliases && explained(followChain(aliases, { type, names, decide: verdictFor, ttl: 0 }), aliases.length);
}

/** Omits the first aliases, which are part of the verdict or the local record. */
function explained({ aliases, name, end }: AliasChain, first: number): ExplainedTarget {
  const forward = end.kind === 'resolve' ? end.forward : undefined;
  return {
    name: nameText(name, 0),
    kind: forward ? 'forward' : end.kind,
    answer: [
      ...[...aliases.slice(first), ...('answer' in end ? end.answer : [])].map(lineOf),
      ...(end.kind === 'code' ? [codeName(end.code)] : []),
    ],
    upstreams: forward?.rule.upstreams ?? [],
  };
}
