import Type, { type Static } from 'typebox';
import { ok } from '../kit/result.ts';
import type { ListHealth as OwnHealth } from './deps.ts';
import { type Operation, read } from './operation.ts';
import { int32, object } from './wire/named.ts';

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const ListHealth = object('ListHealth', 'How a filter list is.', {
  filter_id: Type.String(),
  is_in_use: Type.Boolean({
    description: 'Whether queries are filtered with it now. Lists that nobody has chosen are not fetched.',
  }),
  rules_count: int32(),
  ignored_count: int32({ description: 'Lines that are rules, but not for DNS.' }),
  invalid_count: int32({ description: 'Lines that are no rules.' }),
  time_updated: time('When this version was fetched.'),
  time_checked: time('When its source last said that this is the current version.'),
  problem: Type.Optional(Type.String({ description: 'What is wrong, in plain words; absent when nothing is.' })),
  problem_since: time('Since when.'),
});

const iso = (ms: number): string => new Date(ms).toISOString();

const toWire = (id: string, health: OwnHealth | undefined): Static<typeof ListHealth> => ({
  filter_id: id,
  is_in_use: health?.isLoaded ?? false,
  rules_count: health?.rules ?? 0,
  ignored_count: health?.ignored ?? 0,
  invalid_count: health?.invalid ?? 0,
  ...(health?.fetchedAt !== undefined && { time_updated: iso(health.fetchedAt) }),
  ...(health?.checkedAt !== undefined && { time_checked: iso(health.checkedAt) }),
  ...(health?.problem && { problem: health.problem.why, problem_since: iso(health.problem.since) }),
});

export const listHealthOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/filter_lists/health',
    operationId: 'getFilterListsHealth',
    group: 'Filter lists',
    summary: 'How the filter lists are',
    reply: Type.Array(ListHealth),
    replyWords: 'Every list of the catalogue.',
    run: async (_store, _asked, { catalogue, listHealth }) => {
      const known = new Map(listHealth().map((health) => [health.id, health]));
      return ok(Array.from(catalogue.lists.keys(), (id) => toWire(id, known.get(id))));
    },
  }),
];
