import Type from 'typebox';
import { int32, object } from './named.ts';

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const ListHealth = object('ListHealth', 'How a filter list is.', {
  filter_id: Type.String(),
  is_in_use: Type.Boolean({
    description: 'Whether queries are filtered with it now. Lists that nobody has chosen are not fetched.',
  }),
  rules_count: int32(),
  ignored_count: int32({ description: 'Lines that are rules, but not for DNS.' }),
  invalid_count: int32({ description: 'Invalid lines.' }),
  time_updated: time('When this version was fetched.'),
  time_checked: time('When its source last said that this is the current version.'),
  problem: Type.Optional(Type.String({ description: 'What is wrong, in plain words; absent when nothing is.' })),
  problem_since: time('Since when.'),
});
