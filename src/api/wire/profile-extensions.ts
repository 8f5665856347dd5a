import Type from 'typebox';
import { int32, object } from './named.ts';

const Chosen = object('ChosenCustomList', 'A custom list that a DNS server uses.', {
  id: Type.String(),
  enabled: Type.Boolean(),
});
export const ChosenLists = object('ChosenCustomLists', 'The custom lists of a DNS server.', {
  custom_lists: Type.Array(Chosen),
});
export const ChosenListsUpdate = object('ChosenCustomListsUpdate', 'The given lists replace the chosen ones.', {
  custom_lists: Type.Array(Type.Object({ id: Type.String(), enabled: Type.Optional(Type.Boolean()) }), {
    maxItems: 1000,
  }),
});

export const Upstreams = object('DNSServerUpstreams', 'Whom a DNS server asks.', {
  upstreams: Type.Array(Type.String(), {
    description: 'As `9.9.9.9`, `tls://dns.example` or `https://dns.example/dns-query`. Empty: those of the operator.',
  }),
});

export const TemporaryRule = object('TemporaryRule', 'A user rule that ends by itself.', {
  id: Type.String(),
  rule: Type.String(),
  time_ends: Type.String({ format: 'date-time' }),
  seconds_left: int32(),
});

export const TemporaryRuleCreate = object('TemporaryRuleCreate', 'A rule to hold for a while.', {
  rule: Type.String({ description: 'As a user rule is written, for instance `||example.org^$important`.' }),
  minutes: int32({ description: 'From 1 to 10080, which is a week.' }),
});
