import Type, { type Static } from 'typebox';
import { err, ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { type Operation, query } from './operation.ts';
import { ListChanges } from './wire/list-health.ts';

const description =
  'Counts of the added and removed rules, with the first of each. 404 if the list was not updated since its first download.';
const responseDescription = 'The changes.';

/** The caller has checked that the account may read the list. */
async function changesOf(
  id: string,
  { listHealth, changedRules }: Pick<Deps, 'listHealth' | 'changedRules'>,
): Promise<Result<Static<typeof ListChanges>, ApiError>> {
  const { changes, fetchedAt } = listHealth().find((list) => list.id === id) ?? {};
  const rules = changes && (await changedRules(id));
  if (!rules || fetchedAt === undefined) return err({ kind: 'not found', what: 'update of the filter list' });
  return ok({
    time_updated: new Date(fetchedAt).toISOString(),
    added_count: changes.added,
    removed_count: changes.removed,
    added: [...rules.added],
    removed: [...rules.removed],
  });
}

export const listChangeOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/filter_lists/:filter_id/changes',
    operationId: 'getFilterListChanges',
    group: 'Filter lists',
    summary: 'Get the rules that the last update of a filter list has changed',
    description,
    params: Type.Object({ filter_id: Type.String({ description: 'Filter list id.' }) }),
    reply: ListChanges,
    responseDescription,
    errors: [404],
    run: async (_store, { params: { filter_id: id } }, deps) =>
      deps.catalogue.lists.has(id) ? changesOf(id, deps) : err({ kind: 'not found', what: 'filter list' }),
  }),
  query({
    method: 'GET',
    path: '/api/v1/custom_lists/:custom_list_id/changes',
    operationId: 'getCustomListChanges',
    group: 'Custom lists',
    summary: 'Get the rules that the last update of a custom filter list has changed',
    description,
    params: Type.Object({ custom_list_id: Type.String({ description: 'Custom list id.' }) }),
    reply: ListChanges,
    responseDescription,
    errors: [404],
    run: async (store, { caller, params: { custom_list_id: id } }, deps) =>
      (await store.customLists.find(caller.account, id))
        ? changesOf(id, deps)
        : err({ kind: 'not found', what: 'custom list' }),
  }),
];
