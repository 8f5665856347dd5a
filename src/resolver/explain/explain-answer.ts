import { types } from '../../dns/numbers.ts';
import {
  type ExplainedRule,
  type Explanation,
  explainAnswer,
  type SourceVerdict,
} from '../../engine/explain/explain.ts';
import type { ReadLine } from '../../engine/list-table.ts';
import type { AnswerLocation } from '../../engine/match/conditions.ts';
import type { Query } from '../../engine/match/decide.ts';
import { type EngineProfile, mayHaveAddressRules } from '../../engine/match/profile.ts';
import type { SourceName } from '../../engine/sources.ts';
import { parseIp } from '../../kit/ip-address.ts';
import { ok, type Result } from '../../kit/result.ts';
import { readHostName } from '../../rules/read-host-name.ts';
import { type ExplainedVerdict, toExplainedVerdict } from './explained-verdict.ts';

/** A name or an address in an answer: the target of a CNAME record, or the data of an A or AAAA record. */
export type AnswerPart = { readonly text: string } & (
  | { readonly kind: 'name'; readonly name: Uint8Array }
  | { readonly kind: 'address'; readonly address: Uint8Array }
);

type ToldRule = { readonly source: SourceName; readonly list: string; readonly text: string };

export type AnswerExplanation = {
  readonly filtered: boolean;
  readonly why: string;
  /** Lists that filter answers. Rules for addresses are rare; all others apply to the names in an answer only. */
  readonly lists: readonly {
    readonly source: SourceName;
    readonly list: string;
    readonly mayHaveAddressRules: boolean;
  }[];
  /** `$respgeo` rules for the queried name: they depend on the addresses of its answer. */
  readonly locationRules: readonly ToldRule[];
  /** Decision on the given parts; `pass` without parts. */
  readonly verdict: ExplainedVerdict;
  readonly parts: readonly {
    readonly value: string;
    readonly verdict: ExplainedVerdict;
    readonly rules: readonly (ToldRule & Pick<ExplainedRule, 'outcome' | 'why'>)[];
  }[];
};

export type AnswerMeans = {
  readonly secret: Uint8Array;
  readonly readLine: ReadLine;
  readonly locate?: ((address: Uint8Array) => AnswerLocation) | undefined;
  /** Why a part is blocked without a rule. */
  readonly whyForbidden?: ((part: AnswerPart) => string | undefined) | undefined;
};

/** Parses a name or an address in text form. */
export function readAnswerPart(text: string): Result<AnswerPart, string> {
  const ip = parseIp(text);
  if (ip) return ok({ kind: 'address', text, address: Uint8Array.from(ip.bytes) });
  const name = readHostName(text);
  return name.ok ? ok({ kind: 'name', text, name: name.value }) : name;
}

/** Explains the answer filter after the query was explained. The steps and their order are those of `createTargetFilter`. */
export function explainParts(
  query: Query,
  { verdict: queryVerdict, rules }: Explanation,
  parts: readonly AnswerPart[],
  profile: EngineProfile,
  means: AnswerMeans,
): AnswerExplanation {
  const tables = profile.tables.slice(0, profile.forAnswers.tables);
  const filtered = queryVerdict.kind === 'pass' && tables.length > 0;
  const explained: AnswerExplanation['parts'][number][] = [];
  let verdict: ExplainedVerdict = { kind: 'pass' };
  for (const part of queryVerdict.kind === 'pass' || queryVerdict.kind === 'allow' ? parts : []) {
    const isDecided = queryVerdict.kind === 'allow' || verdict.kind === 'allow';
    const outcome = explainOne(query, part, profile, isDecided, means);
    explained.push(outcome);
    if (outcome.verdict.kind !== 'pass') verdict = outcome.verdict;
    if (verdict.kind === 'block') break;
  }
  return {
    filtered,
    why: whyFiltered(queryVerdict.kind, filtered),
    lists: filtered
      ? tables.map(({ table, source }) => ({
          source: source.name,
          list: table.id,
          mayHaveAddressRules: mayHaveAddressRules(table),
        }))
      : [],
    locationRules: filtered
      ? rules
          .filter(({ rule, outcome }) => rule.locations !== undefined && outcome === 'does not apply')
          .map(({ source, list, text }) => ({ source, list: list.id, text }))
      : [],
    verdict,
    parts: explained,
  };
}

function explainOne(
  { name, at, type, client }: Query,
  part: AnswerPart,
  profile: EngineProfile,
  isDecided: boolean,
  means: AnswerMeans,
): AnswerExplanation['parts'][number] {
  const forbidden = means.whyForbidden?.(part);
  if (forbidden !== undefined) return { value: part.text, verdict: { kind: 'block', rule: forbidden }, rules: [] };
  if (isDecided) return { value: part.text, verdict: { kind: 'pass' }, rules: [] };
  const recordType = part.kind === 'name' ? types.CNAME : part.address.length === 4 ? types.A : types.AAAA;
  const first =
    part.kind === 'name'
      ? explainAnswer({ kind: 'name', name: part.name, at: 0, type: recordType, client }, profile, means)
      : explainAnswer({ kind: 'address', address: part.address, type: recordType, client }, profile, means);
  const isLocated = part.kind === 'address' && first.verdict.kind === 'pass' && means.locate !== undefined;
  const location = isLocated ? means.locate!(part.address) : undefined;
  const located = location && explainAnswer({ kind: 'location', name, at, type, client, ...location }, profile, means);
  const verdict = (located && located.verdict.kind !== 'pass' ? located : first).verdict;
  const all = [...first.rules, ...(located?.rules.filter(({ rule }) => rule.locations !== undefined) ?? [])];
  return {
    value: part.text,
    verdict: toExplainedVerdict(verdict),
    rules: all.map(({ source, list, text, outcome, why }) => ({ source, list: list.id, text, outcome, why })),
  };
}

function whyFiltered(kind: SourceVerdict['kind'], filtered: boolean): string {
  switch (kind) {
    case 'block':
      return 'the query is blocked: there is no answer to filter';
    case 'allow':
      return 'a rule allows the query: the rules do not filter its answer';
    case 'rewrite':
      return 'a rewritten answer is not filtered';
    case 'pass':
      return filtered
        ? 'the answer is filtered too: names in it by all rules of these lists, addresses by the rules whose pattern is an address'
        : 'no rules filter the answer';
  }
}
