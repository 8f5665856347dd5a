import Type, { type Static } from 'typebox';
import type { Explained } from '../deps.ts';
import { object } from './named.ts';

export const ExplainQuestion = object('ExplainQuestion', 'Query to explain and the device that would send it.', {
  name: Type.String({ minLength: 1, maxLength: 1024, description: 'Domain name, for example `www.example.org`.' }),
  type: Type.Optional(Type.String({ maxLength: 16, description: 'Record type, for example `AAAA`. Default: `A`.' })),
  device_id: Type.Optional(Type.String({ description: 'Id of a device of this DNS server.' })),
});

const rule = {
  source: Type.String({ description: 'Filter source, for example `user rules`.' }),
  list: Type.String({ description: 'Filter list id; `custom` for user rules.' }),
  rule: Type.String({ description: 'Text of the rule in the list.' }),
};

const ExplainVerdict = object('ExplainVerdict', 'Decision for the query.', {
  kind: Type.Enum(['pass', 'allow', 'block', 'rewrite'], { type: 'string' }),
  source: Type.Optional(rule.source),
  list: Type.Optional(rule.list),
  rule: Type.Optional(rule.rule),
  rewritten_to: Type.Optional(Type.Array(Type.String(), { description: 'Domain name, response code or record data.' })),
});

const ExplainRule = object('ExplainRule', 'A matching rule and its outcome.', {
  ...rule,
  outcome: Type.String({ description: 'For example `won`, `lost to a stronger rule` or `does not apply`.' }),
  why: Type.String({ description: 'Explanation of the outcome.' }),
});

export const Explanation = object('Explanation', 'Explanation of the decision for a query.', {
  filtering: Type.Enum(['full', 'parental paused', 'off'], {
    type: 'string',
    description: 'Settings that apply now: all, all except parental control, or none.',
  }),
  verdict: ExplainVerdict,
  rules: Type.Array(ExplainRule, { description: 'Matching rules in order of precedence.' }),
  skipped_rules: Type.Integer({
    description:
      'Number of wildcard and regular expression rules that were skipped because the step limit of a decision was reached.',
  }),
  missing_lists: Type.Array(Type.String(), { description: 'Enabled filter lists that are not loaded yet.' }),
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
