import Type from 'typebox';
import { int32, object } from './named.ts';

const rule = Type.String({ description: 'One line in the syntax of user rules, for example `||example.org^`.' });
const client = Type.String({ description: 'An IP address, a network or an autonomous system (`AS15169`).' });
const enabled = Type.Optional(
  Type.Boolean({ description: 'Default: a new entry is enabled, an existing one unchanged.' }),
);

export const RuleEntry = object('RuleEntry', 'A rule to add.', { rule });
export const ClientEntry = object('ClientEntry', 'A client to add.', { client });
export const FilterListEntry = object('FilterListEntry', 'A filter list of the catalogue to add or change.', {
  filter_id: Type.String(),
  enabled,
});
export const BlockedServiceEntry = object('BlockedServiceEntry', 'A web service to block.', {
  id: Type.String({ description: 'Id of the web service.' }),
  enabled,
});

export const RuleQuery = Type.Object({ rule: Type.String({ description: 'The rule, as it was added.' }) });
export const ClientQuery = Type.Object({ client });

export const RuleCount = object('RuleCount', 'The rules after the change.', {
  count: int32({ description: 'Number of rules.' }),
  ignored_reason: Type.Optional(
    Type.String({ description: 'Why the new rule has no effect in DNS filtering; absent if it has one.' }),
  ),
});

export const EntryCount = object('EntryCount', 'The list after the change.', {
  count: int32({ description: 'Number of its entries.' }),
});
