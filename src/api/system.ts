import { ok } from '../kit/result.ts';
import { mutation, type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { Backup, backupToWire, System, systemToWire } from './wire/system.ts';

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
];
