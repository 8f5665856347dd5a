import Type, { type Static } from 'typebox';
import type { Explained } from '../deps.ts';
import { object } from './named.ts';

export const ExplainQuestion = object('ExplainQuestion', 'A question, and who would ask it.', {
  name: Type.String({ minLength: 1, maxLength: 1024, description: 'A host name, as `www.example.org`.' }),
  type: Type.Optional(Type.String({ maxLength: 16, description: 'As `AAAA`; `A` unless said.' })),
  device_id: Type.Optional(Type.String({ description: 'A device of this DNS server.' })),
});

const rule = {
  source: Type.String({ description: 'What kind of list it is of, as `user rules`.' }),
  list: Type.String({ description: 'Which list, by its id; user rules are `custom`.' }),
  rule: Type.String({ description: 'As it stands there.' }),
};

const ExplainVerdict = object('ExplainVerdict', 'What becomes of the question.', {
  kind: Type.Enum(['pass', 'allow', 'block', 'rewrite'], { type: 'string' }),
  source: Type.Optional(rule.source),
  list: Type.Optional(rule.list),
  rule: Type.Optional(rule.rule),
  rewritten_to: Type.Optional(Type.Array(Type.String(), { description: 'A name, a code, or the data of records.' })),
});

const ExplainRule = object('ExplainRule', 'A rule that matches, and what came of it.', {
  ...rule,
  outcome: Type.String({ description: 'As `won`, `lost to a stronger rule` or `does not apply`.' }),
  why: Type.String({ description: 'The same in a sentence.' }),
});

export const Explanation = object('Explanation', 'What becomes of a question, and why.', {
  filtering: Type.Enum(['full', 'parental paused', 'off'], {
    type: 'string',
    description: 'Which settings hold at this moment: all, all but parental control, or none.',
  }),
  verdict: ExplainVerdict,
  rules: Type.Array(ExplainRule, { description: 'In the order of precedence.' }),
  skipped_rules: Type.Integer({
    description:
      'Wildcards and regular expressions that are not tried on this name: those before them use up the steps that one decision may take.',
  }),
  missing_lists: Type.Array(Type.String(), { description: 'Lists that are switched on and not there yet.' }),
});

export const explanationToWire = (explained: Explained): Static<typeof Explanation> => {
  const { filtering, verdict, rules, skipped, missing } = explained;
  const { kind, source, list, rule: text, rewrite } = verdict;
  return {
    filtering,
    verdict: {
      kind,
      ...(source !== undefined && { source }),
      ...(list !== undefined && { list }),
      ...(text !== undefined && { rule: text }),
      ...(rewrite && { rewritten_to: rewrittenTo(rewrite) }),
    },
    rules: rules.map((each) => ({
      source: each.source,
      list: each.list,
      rule: each.text,
      outcome: each.outcome,
      why: each.why,
    })),
    skipped_rules: skipped,
    missing_lists: [...missing],
  };
};

function rewrittenTo(rewrite: NonNullable<Explained['verdict']['rewrite']>): string[] {
  if (rewrite.kind === 'cname') return [rewrite.target];
  return rewrite.kind === 'code' ? [rewrite.code] : rewrite.values.map((value) => `${rewrite.type} ${value}`);
}
