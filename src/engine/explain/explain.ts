import { nameText } from '../../kit/wire-name.ts';
import type { Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import type { ListTable, ReadLine } from '../list-table.ts';
import { type Conditions, type Obstacle, whyNotApplied } from '../match/conditions.ts';
import { type Answer, addressName, type Query } from '../match/decide.ts';
import { type MatchingRule, matchingRules } from '../match/matching-rules.ts';
import type { EngineProfile, Extent } from '../match/profile.ts';
import { isHonoured, type SourceName } from '../sources.ts';
import type { Rewritten } from '../verdict.ts';
import {
  byPrecedence,
  type Decision,
  decideStage,
  type Outcome,
  outcomesInStage,
  type RuleOutcome,
} from './explain-stage.ts';

/** Every rule of every list whose pattern matches, in order of precedence, with its outcome. */
export type Explanation = {
  readonly verdict: SourceVerdict;
  readonly rules: readonly ExplainedRule[];
  /** Wildcards and regular expressions skipped for this name because earlier ones used up the budget. */
  readonly skipped: number;
};

export type SourceVerdict =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'allow' | 'block' | 'rewrite';
      readonly source: SourceName;
      readonly list: ListTable;
      readonly text: string;
      /** Set when the kind is `rewrite`. */
      readonly rewrite?: Rewritten;
    };

export type ExplainedRule = {
  readonly source: SourceName;
  readonly list: ListTable;
  readonly text: string;
  readonly rule: Rule;
  readonly outcome: Outcome;
  /** The outcome as a sentence. */
  readonly why: string;
};

type Means = { readonly secret: Uint8Array; readonly readLine: ReadLine };

/** The same decision as `decide`, which also collects the reasons and is slower. */
export const explain = (query: Query, profile: EngineProfile, means: Means): Explanation =>
  explainPart(
    { ...query, subject: 'query', client: query.client, location: undefined },
    profile,
    profile.forQuestions,
    means,
  );

/** The same decision as `decideAnswer`, for one part of an answer. */
export function explainAnswer(answer: Answer, profile: EngineProfile, means: Means): Explanation {
  const { type, client } = answer;
  if (answer.kind === 'address') {
    const name = addressName(answer.address);
    return explainPart(
      { name, at: 0, type, client, subject: 'address', location: undefined },
      profile,
      profile.forAddresses,
      means,
    );
  }
  const { name, at } = answer;
  const location = answer.kind === 'location' ? answer : undefined;
  return explainPart({ name, at, type, client, subject: 'name', location }, profile, profile.forAnswers, means);
}

type Part = Conditions & Pick<Query, 'name' | 'at'>;

function explainPart(part: Part, profile: EngineProfile, extent: Extent, means: Means): Explanation {
  const name = nameText(part.name, part.at).toLowerCase();
  const { rules: matching, skipped } = matchingRules(part, profile, extent, means);
  const outcomes = new Map<MatchingRule, RuleOutcome>();
  for (const match of matching) {
    const silent = whySilent(match, part, profile, name);
    if (silent) outcomes.set(match, silent);
  }

  let allowed: Decision | undefined;
  let decided: Decision | undefined;
  const rules = profile.stages.slice(0, extent.stages).flatMap((stage) => {
    const inStage = matching.filter(({ by }) => by.source.stage === profile.tables[stage.from]!.source.stage);
    const speaking = inStage.filter((match) => !outcomes.has(match));
    if (decided) for (const match of speaking) outcomes.set(match, notAsked(decided));
    else {
      const decision = decideStage(speaking, name, part.type);
      for (const [match, outcome] of outcomesInStage(speaking, decision, name)) outcomes.set(match, outcome);
      if (decision?.kind !== 'allow' || stage.allowEnds === 'everything') decided = decision;
      else if (allowed) outcomes.set(decision.winner, allowedBefore(allowed));
      else allowed = decision;
    }
    return inStage.toSorted(byPrecedence);
  });
  if (decided && allowed) outcomes.set(allowed.winner, overruled(decided));
  const decision = decided ?? allowed;
  return {
    verdict: decision ? toldVerdict(decision) : { kind: 'pass' },
    rules: rules.map((match) => explained(match, outcomes.get(match)!)),
    skipped,
  };
}

/** Why a rule does not apply although its pattern matches. */
function whySilent(match: MatchingRule, part: Part, profile: EngineProfile, name: string): RuleOutcome | undefined {
  const { by, rule, answers } = match;
  if (!answers && !isHonoured(by.source, rule)) {
    const modifier = rule.rewrite ? '$dnsrewrite' : rule.clients ? '$client' : '$ctag';
    return { outcome: 'not honoured in this source', why: `${modifier} is ignored in "${by.source.name}"` };
  }
  const obstacle = whyNotApplied(rule, part, () => name);
  if (obstacle !== undefined) return { outcome: 'does not apply', why: whyObstructed(obstacle, rule) };
  if (by.source.obeysUserBadfilter && profile.switchedOff?.has(ruleKey(rule)))
    return { outcome: 'switched off by $badfilter', why: 'the user rules disable it with $badfilter' };
  return undefined;
}

const whyObstructed = (obstacle: Obstacle, { locations }: Rule): string =>
  obstacle === '$respgeo' && locations === undefined
    ? 'it has no $respgeo, and the location of the answer is decided'
    : obstacles[obstacle];

const obstacles: Readonly<Record<Obstacle, string>> = {
  pattern: 'its pattern is not an address, and only such rules apply to the addresses of an answer',
  $dnsrewrite: 'answers are not rewritten',
  $dnstype: 'its $dnstype excludes the queried type',
  $client: 'its $client excludes this device',
  $ctag: 'its $ctag excludes this device',
  $denyallow: 'its $denyallow excludes this name',
  $respgeo: 'its $respgeo applies to answers, not to queries',
};

const notAsked = ({ winner }: Decision): RuleOutcome => ({
  outcome: 'not asked',
  why: `"${winner.by.source.name}" comes first and has decided`,
});

const allowedBefore = ({ winner }: Decision): RuleOutcome => ({
  outcome: 'lost to a stronger rule',
  why: `"${winner.by.source.name}" comes first and allows the name`,
});

const overruled = ({ winner }: Decision): RuleOutcome => ({
  outcome: 'overruled by a later source',
  why: `an allow rule of a list does not stop "${winner.by.source.name}"`,
});

const toldVerdict = ({ kind, winner, rewrite }: Decision): SourceVerdict => ({
  kind,
  source: winner.by.source.name,
  list: winner.by.table,
  text: winner.text,
  ...(rewrite && { rewrite }),
});

const explained = ({ by, text, rule }: MatchingRule, { outcome, why }: RuleOutcome): ExplainedRule => ({
  source: by.source.name,
  list: by.table,
  text,
  rule,
  outcome,
  why,
});
