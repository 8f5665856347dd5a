import Type, { type Static } from 'typebox';
import { ok } from '../kit/result.ts';
import type { ListHealth as OwnHealth } from './list-deps.ts';
import { type Operation, query } from './operation.ts';
import { downloadToWire, ListHealth, ruleCountsToWire } from './wire/list-health.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const toWire = (id: string, health: OwnHealth | undefined): Static<typeof ListHealth> => ({
  filter_id: id,
  is_in_use: health?.isLoaded ?? false,
  is_built_in: health?.isBuiltIn ?? false,
  ...ruleCountsToWire(health),
  ...(health?.fetchedAt !== undefined && { time_updated: iso(health.fetchedAt) }),
  ...(health?.checkedAt !== undefined && { time_checked: iso(health.checkedAt) }),
  ...(health?.problem && { problem: health.problem.why, problem_since: iso(health.problem.since) }),
  is_held_back: health?.isHeldBack ?? false,
  ...(health && downloadToWire(health)),
});

export const listHealthOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/filter_lists/health',
    operationId: 'getFilterListsHealth',
    group: 'Filter lists',
    summary: 'Get the status of filter lists',
    description: 'Whether each list is in use, its rules, the last download and check, and the error of a failed one.',
    reply: Type.Array(ListHealth),
    responseDescription: 'Status of every filter list of the catalogue.',
    run: async (_store, _asked, { catalogue, listHealth }) => {
      const healthById = new Map(listHealth().map((health) => [health.id, health]));
      return ok(Array.from(catalogue.lists.keys(), (id) => toWire(id, healthById.get(id))));
    },
  }),
];
