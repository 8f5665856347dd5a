import Type from 'typebox';
import { err, ok, type Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { ListHealth } from './list-deps.ts';
import { mutation, type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { Backup, backupToWire, System, SystemList, systemListToWire, systemToWire } from './wire/system.ts';

const group = 'System';

export const systemOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/system',
    operationId: 'getSystem',
    requires: 'self',
    group,
    summary: 'Get the system status',
    description: 'Only for the operator: the owner of the first account, or the user named by the setting `operator`.',
    reply: System,
    responseDescription: 'Versions, listeners, upstreams, filter lists, counters and the last backup.',
    run: async (_store, { caller }, deps) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok(systemToWire(await deps.system())) : refused;
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/system/backup',
    operationId: 'createBackup',
    requires: 'self',
    group,
    summary: 'Create a backup of all accounts',
    description:
      'Same content as `weir backup`, written to the folder `backups` of the data folder. The ten newest backups are retained. The query log is not included.',
    reply: Backup,
    responseDescription: 'The backup file.',
    prepare: async (deps, { caller }) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok(await deps.backUp()) : refused;
    },
    run: async (_store, _asked, _deps, backup) =>
      ok({ reply: backupToWire(backup), audit: { action: 'system.backup', subject: backup.file } }),
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/system/lists/:filter_id/accept',
    operationId: 'acceptFilterList',
    requires: 'self',
    group,
    summary: 'Use the version of a filter list that is held back',
    description:
      'Only for the operator. Responds when the list is downloaded. A list without `is_held_back` does not change.',
    params: Type.Object({ filter_id: Type.String({ description: 'Id of a list of the system status.' }) }),
    reply: SystemList,
    responseDescription: 'The list and its status.',
    errors: [404],
    prepare: async (deps, { caller, params }) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      const list = await findList(deps, params.filter_id);
      if (!list.ok) return list;
      await deps.acceptList(params.filter_id);
      return findList(deps, params.filter_id);
    },
    run: async (_store, { params }, _deps, list) =>
      ok({ reply: systemListToWire(list), audit: { action: 'system.accept_list', subject: params.filter_id } }),
  }),
];

/** Finds a list of the operator or the catalogue, but no custom lists, which belong to accounts. */
async function findList(deps: Pick<Deps, 'system'>, id: string): Promise<Result<ListHealth, ApiError>> {
  const list = (await deps.system()).dns?.lists.find((each) => each.id === id);
  return list ? ok(list) : err({ kind: 'not found', what: 'filter list' });
}
