import Type, { type Static } from 'typebox';
import type { CustomList as List } from '../../domain/custom-list.ts';
import type { ListHealth } from '../deps.ts';
import { int32, object } from './named.ts';

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const content = {
  url: Type.Optional(Type.String({ description: 'Where the list is.' })),
  rules: Type.Optional(Type.String({ description: 'The list itself, one rule a line.' })),
  configuration: Type.Optional(
    Type.Object({}, { description: 'What the compiler makes the list of, as `weir compile` reads it.' }),
  ),
};

export const CustomListInput = object(
  'CustomListWish',
  'One of `url`, `rules` and `configuration` says what is in it.',
  {
    name: Type.Optional(Type.String({ description: 'A new list must have one.' })),
    ...content,
  },
);

export const CustomList = object('CustomList', 'A filter list of this account, and how it is.', {
  id: Type.String({ description: 'Also what the query log calls it.' }),
  name: Type.String(),
  ...content,
  time_created: Type.String({ format: 'date-time' }),
  is_in_use: Type.Boolean({ description: 'Whether queries are filtered with it now.' }),
  rules_count: int32(),
  ignored_count: int32({ description: 'Lines that are rules, but not for DNS.' }),
  invalid_count: int32({ description: 'Invalid lines.' }),
  time_updated: time('When this version was fetched.'),
  time_checked: time('When its source last said that this is the current version.'),
  problem: Type.Optional(Type.String({ description: 'What is wrong, in plain words; absent when nothing is.' })),
});

const iso = (ms: number): string => new Date(ms).toISOString();

export const customListToWire = (list: List, health: ListHealth | undefined): Static<typeof CustomList> => {
  const { kind: _, ...source } = list.source;
  return {
    id: list.id,
    name: list.name,
    ...source,
    time_created: iso(list.createdAt),
    is_in_use: health?.isLoaded ?? false,
    rules_count: health?.rules ?? 0,
    ignored_count: health?.ignored ?? 0,
    invalid_count: health?.invalid ?? 0,
    ...(health?.fetchedAt !== undefined && { time_updated: iso(health.fetchedAt) }),
    ...(health?.checkedAt !== undefined && { time_checked: iso(health.checkedAt) }),
    ...(health?.problem && { problem: health.problem.why }),
  };
};
