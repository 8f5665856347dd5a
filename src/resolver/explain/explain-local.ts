import type { ResourceRecord } from '../../dns/message.ts';
import { recordText } from '../../dns/record-text.ts';
import { typeName } from '../../kit/dns-numbers.ts';
import { nameText } from '../../kit/wire-name.ts';
import { decideLocally, type LocalDecision, type SearchAttempt } from '../local-names/decide-locally.ts';
import type { LocalNames } from '../local-names/local-names.ts';
import { LOCAL_RECORD } from '../pipeline/local-lookup.ts';
import type { AnswerExplanation } from './explain-answer.ts';
import type { ExplainedVerdict } from './explained-verdict.ts';

/** A record or a forwarding rule that applies to a query. */
export type LocalExplanation = {
  /** `alias`: the last name of the answer is resolved. `loop`: aliases lead to each other. */
  readonly kind: 'record' | 'alias' | 'loop' | 'forward';
  /** The name of the record, or the domain of the rule. */
  readonly name: string;
  /** The name with a search domain, if the query name has one label. */
  readonly searchedName?: string;
  /** In presentation format: owner, type, data. */
  readonly answer: readonly string[];
  readonly upstreams: readonly string[];
};

/** In the order in which they are tried; empty if the name is not local. */
export function explainLocally(names: LocalNames, name: Uint8Array, type: number): readonly LocalExplanation[] {
  const decision = decideLocally(names, name, type);
  if (decision.kind === 'none') return [];
  if (decision.kind !== 'search') return [explainOne(decision)];
  return decision.attempts.map(({ alias, decision: found }) => ({
    ...explainOne(found),
    searchedName: nameText(alias.data, 0),
  }));
}

type Found = Exclude<LocalDecision, { kind: 'none' | 'search' }> & SearchAttempt['decision'];

function explainOne(decision: Found): LocalExplanation {
  switch (decision.kind) {
    case 'records':
      return { kind: 'record', name: decision.entry.name, answer: decision.answer.map(lineOf), upstreams: [] };
    case 'alias':
      return { kind: 'alias', name: decision.entry.name, answer: decision.aliases.map(lineOf), upstreams: [] };
    case 'loop':
      return { kind: 'loop', name: decision.entry.name, answer: [], upstreams: [] };
    case 'forward':
      return { kind: 'forward', name: decision.rule.domain, answer: [], upstreams: decision.rule.upstreams };
  }
}

/** In presentation format, without TTL and class. */
export const lineOf = ({ name, type, data }: ResourceRecord): string =>
  `${nameText(name, 0)} ${typeName(type)} ${recordText(type, data)}`;

/** Verdict and answer filtering if a local record answers the query; undefined if the rules decide. */
export function verdictOf(
  local: readonly LocalExplanation[],
): { readonly verdict: ExplainedVerdict; readonly answer: AnswerExplanation } | undefined {
  const [first] = local;
  if (!first || first.kind === 'forward') return undefined;
  return {
    verdict: { kind: 'rewrite', rule: LOCAL_RECORD },
    answer: {
      filtered: false,
      why: 'a local record answers the query: rules filter only the target of an alias',
      lists: [],
      locationRules: [],
      verdict: { kind: 'pass' },
      parts: [],
    },
  };
}
