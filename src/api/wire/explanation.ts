import Type, { type Static } from 'typebox';
import type { Explained } from '../deps.ts';
import { object } from './named.ts';

export const ExplainQuestion = object('ExplainQuestion', 'Query to explain and the device that would send it.', {
  name: Type.String({ minLength: 1, maxLength: 1024, description: 'Domain name, for example `www.example.org`.' }),
  type: Type.Optional(Type.String({ maxLength: 16, description: 'Record type, for example `AAAA`. Default: `A`.' })),
  device_id: Type.Optional(Type.String({ description: 'Id of a device of this DNS server.' })),
  client_address: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'IP address of the client, for `$client` rules; by default the linked address of the device.',
    }),
  ),
  client: Type.Optional(
    object('ExplainClient', 'A client that presents no device id; `device_id` must be absent.', {
      address: Type.Optional(Type.String({ maxLength: 64, description: 'Source address of its queries.' })),
      mac: Type.Optional(
        Type.String({ maxLength: 64, description: 'MAC address that a forwarder adds to its queries.' }),
      ),
      host_name: Type.Optional(
        Type.String({ maxLength: 300, description: 'Host name, in addition to the known ones.' }),
      ),
    }),
  ),
  answer: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      maxItems: 100,
      description: 'Names (CNAME targets) and addresses in the answer, in their order.',
    }),
  ),
});

const ClientMatch = object('ExplainClientMatch', 'A property that matched the client.', {
  kind: Type.String({ description: 'For example `mac`, `address`, `host name`, `network` or `assigned network`.' }),
  value: Type.String(),
  device_id: Type.Optional(Type.String({ description: 'Absent for the network of a DNS server.' })),
});

const IdentifiedClient = object('ExplainIdentifiedClient', 'The device that the client is recognised as.', {
  device_id: Type.Optional(Type.String()),
  dns_server_id: Type.Optional(Type.String({ description: 'Absent if the client is not a client of this account.' })),
  identified_by: Type.Optional(ClientMatch),
  less_specific: Type.Array(ClientMatch, {
    description: 'Other matches, in order of precedence.',
  }),
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

const ExplainAnswerPart = object('ExplainAnswerPart', 'A name or an address in the answer, and its decision.', {
  value: Type.String(),
  verdict: ExplainVerdict,
  rules: Type.Array(ExplainRule),
});

const ExplainAnswer = object('ExplainAnswer', 'How the answer of an upstream is filtered.', {
  filtered: Type.Boolean({ description: 'Whether rules filter the answer.' }),
  why: Type.String({ description: 'The same in a sentence.' }),
  filtered_by: Type.Array(
    object('ExplainAnswerList', 'A list whose rules filter answers.', {
      source: rule.source,
      list: rule.list,
      may_have_address_rules: Type.Boolean({
        description: 'Whether the list may have rules for addresses; other rules apply to names in the answer only.',
      }),
    }),
  ),
  location_rules: Type.Array(object('ExplainLocationRule', 'A `$respgeo` rule for the queried name.', rule)),
  verdict: ExplainVerdict,
  parts: Type.Array(ExplainAnswerPart, { description: 'Decisions on the names and addresses in the request.' }),
});

const ExplainLocalName = object('ExplainLocalName', 'A local record or a forwarding rule that applies to the name.', {
  kind: Type.Enum(['record', 'alias', 'loop', 'forward'], {
    type: 'string',
    description: '`alias`: a CNAME record whose target is resolved. `loop`: CNAME records that lead to each other.',
  }),
  name: Type.String({ description: 'Name of the record, or domain of the rule.' }),
  searched_name: Type.Optional(Type.String({ description: 'The name with a search domain.' })),
  answer: Type.Array(Type.String(), { description: 'Records: name, type and data.' }),
  upstreams: Type.Array(Type.String()),
});

const targetKinds = ['record', 'rewritten', 'code', 'blocked', 'loop', 'malformed', 'forward', 'resolve'] as const;

export type TargetKind = (typeof targetKinds)[number];

const ExplainTarget = object('ExplainTarget', 'How the target of a CNAME is answered.', {
  name: Type.String({ description: 'The last target, if targets lead to others.' }),
  kind: Type.Enum([...targetKinds], {
    type: 'string',
    description:
      '`record`: by a local record. `rewritten`, `code`, `blocked`: by a rule. `loop`: the targets lead to each other. `forward`: by the servers of a forwarding rule. `resolve`: by the upstreams of the DNS server.',
  }),
  answer: Type.Array(Type.String(), { description: 'Records: name, type and data; for `code` the response code.' }),
  upstreams: Type.Array(Type.String()),
});

export const Explanation = object('Explanation', 'Explanation of the decision for a query.', {
  filtering: Type.Enum(['full', 'parental paused', 'paused', 'off'], {
    type: 'string',
    description:
      'Settings that apply now: all, all except parental control, or none (`paused` for a limited time, or `off`).',
  }),
  local_names: Type.Array(ExplainLocalName, {
    description: 'Local records and forwarding rules that apply to the name, in the order in which they are tried.',
  }),
  dns64: Type.Optional(
    Type.String({
      description: 'Prefix of DNS64, which applies if the name has IPv4 addresses only. Only for type AAAA.',
    }),
  ),
  client: Type.Optional(IdentifiedClient),
  verdict: ExplainVerdict,
  target: Type.Optional(ExplainTarget),
  answer: ExplainAnswer,
  rules: Type.Array(ExplainRule, { description: 'Matching rules in order of precedence.' }),
  skipped_rules: Type.Integer({
    description:
      'Number of wildcard and regular expression rules that were skipped because the step limit of a decision was reached.',
  }),
  missing_lists: Type.Array(Type.String(), { description: 'Enabled filter lists that are not loaded yet.' }),
});

export const explanationToWire = (explained: Explained): Static<typeof Explanation> => {
  const { filtering, localNames, dns64, verdict, target, answer, rules, skipped, missing, client } = explained;
  return {
    filtering,
    ...(client && { client: clientToWire(client) }),
    local_names: localNames.map(({ kind, name, searchedName, answer: records, upstreams }) => ({
      kind,
      name,
      ...(searchedName !== undefined && { searched_name: searchedName }),
      answer: [...records],
      upstreams: [...upstreams],
    })),
    ...(dns64 !== undefined && { dns64 }),
    verdict: verdictToWire(verdict),
    ...(target && { target: { ...target, answer: [...target.answer], upstreams: [...target.upstreams] } }),
    answer: {
      filtered: answer.filtered,
      why: answer.why,
      filtered_by: answer.lists.map(({ source, list, mayHaveAddressRules }) => ({
        source,
        list,
        may_have_address_rules: mayHaveAddressRules,
      })),
      location_rules: answer.locationRules.map(({ source, list, text }) => ({ source, list, rule: text })),
      verdict: verdictToWire(answer.verdict),
      parts: answer.parts.map((part) => ({
        value: part.value,
        verdict: verdictToWire(part.verdict),
        rules: part.rules.map(ruleToWire),
      })),
    },
    rules: rules.map(ruleToWire),
    skipped_rules: skipped,
    missing_lists: [...missing],
  };
};

const clientToWire = ({ device, dnsServer, by, others }: NonNullable<Explained['client']>) => ({
  ...(device !== undefined && { device_id: device }),
  ...(dnsServer !== undefined && { dns_server_id: dnsServer }),
  ...(by && { identified_by: matchToWire(by) }),
  less_specific: others.map(matchToWire),
});

const matchToWire = ({ kind, value, device }: NonNullable<Explained['client']>['others'][number]) => ({
  kind,
  value,
  ...(device !== undefined && { device_id: device }),
});

const verdictToWire = ({ kind, source, list, rule: text, rewrite }: Explained['verdict']) => ({
  kind,
  ...(source !== undefined && { source }),
  ...(list !== undefined && { list }),
  ...(text !== undefined && { rule: text }),
  ...(rewrite && { rewritten_to: rewrittenTo(rewrite) }),
});

const ruleToWire = ({ source, list, text, outcome, why }: Explained['rules'][number]) => ({
  source,
  list,
  rule: text,
  outcome,
  why,
});

function rewrittenTo(rewrite: NonNullable<Explained['verdict']['rewrite']>): string[] {
  if (rewrite.kind === 'cname') return [rewrite.target];
  return rewrite.kind === 'code' ? [rewrite.code] : rewrite.values.map((value) => `${rewrite.type} ${value}`);
}
