import Type, { type Static } from 'typebox';
import type { CustomList as List } from '../../domain/custom-list.ts';
import type { ListHealth } from '../list-deps.ts';
import { downloadField, downloadToWire, heldBack, ruleCounts, ruleCountsToWire } from './list-health.ts';
import { object } from './named.ts';

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const content = {
  url: Type.Optional(Type.String({ description: 'URL of the list.' })),
  rules: Type.Optional(Type.String({ description: 'Content of the list, one rule per line.' })),
  configuration: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Compiler configuration, as read by `weir compile`.' }),
  ),
};

export const CustomListInput = object(
  'CustomListWish',
  'At most one of `url`, `rules` and `configuration` defines the content.',
  {
    name: Type.Optional(Type.String({ description: 'Required for a new list.' })),
    ...content,
  },
);

export const CustomList = object('CustomList', 'A custom filter list of the account and its status.', {
  id: Type.String({ description: 'Also the list id in the query log.' }),
  name: Type.String(),
  ...content,
  time_created: Type.String({ format: 'date-time' }),
  is_in_use: Type.Boolean({ description: 'Whether the list is loaded and applied.' }),
  ...ruleCounts,
  time_updated: time('Time when this version was downloaded.'),
  time_checked: time('Time when the source last confirmed that this version is current.'),
  problem: Type.Optional(Type.String({ description: 'Error message; absent without an error.' })),
  is_held_back: heldBack,
  ...downloadField,
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
    ...ruleCountsToWire(health),
    ...(health?.fetchedAt !== undefined && { time_updated: iso(health.fetchedAt) }),
    ...(health?.checkedAt !== undefined && { time_checked: iso(health.checkedAt) }),
    ...(health?.problem && { problem: health.problem.why }),
    is_held_back: health?.isHeldBack ?? false,
    ...(health && downloadToWire(health)),
  };
};
