import Type from 'typebox';
import { upstreamStrategies } from '../../domain/upstream-strategy.ts';
import { enumeration, int32, object } from './named.ts';

const Chosen = object('ChosenCustomList', 'A custom list that a DNS server uses.', {
  id: Type.String(),
  enabled: Type.Boolean(),
});
export const ChosenLists = object('ChosenCustomLists', 'The custom lists of a DNS server.', {
  custom_lists: Type.Array(Chosen),
});
export const ChosenListsUpdate = object('ChosenCustomListsUpdate', 'The given lists replace the current ones.', {
  custom_lists: Type.Array(Type.Object({ id: Type.String(), enabled: Type.Optional(Type.Boolean()) }), {
    maxItems: 1000,
  }),
});

export const Strategy = enumeration('UpstreamStrategy', upstreamStrategies, {
  description:
    '`fastest`: mostly the fastest upstream gets the query. `parallel`: all get it, the first answer is used. `ordered`: the first one gets it, the next one if it does not answer. Absent: the setting of the operator.',
});

export const Upstreams = object('DNSServerUpstreams', 'Upstreams of a DNS server.', {
  upstreams: Type.Array(Type.String(), {
    description:
      'For example `9.9.9.9`, `tls://dns.example` or `https://dns.example/dns-query`. Empty: the upstreams of the operator.',
  }),
  strategy: Type.Optional(Strategy),
});

export const TemporaryRule = object('TemporaryRule', 'A temporary rule.', {
  id: Type.String(),
  rule: Type.String(),
  time_ends: Type.String({ format: 'date-time' }),
  seconds_left: int32(),
});

export const TemporaryRuleCreate = object('TemporaryRuleCreate', 'Temporary rule to create.', {
  rule: Type.String({ description: 'Rule in the syntax of user rules, for example `||example.org^$important`.' }),
  minutes: int32({ description: 'Duration in minutes, from 1 to 10080 (one week).' }),
});
