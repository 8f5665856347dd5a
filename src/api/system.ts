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
    summary: 'How the installation is',
    description: 'For the operator: the owner of the first account, unless the setting `operator` names another user.',
    reply: System,
    responseDescription: 'Versions, listeners, upstreams, lists, figures and the last backup.',
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
    summary: 'Make a backup of all accounts',
    description:
      'As `weir backup` does, into the folder `backups` of the data; the newest ten stay. The query log is not part of it.',
    reply: Backup,
    responseDescription: 'Where it is.',
    prepare: async (deps, { caller }) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok(await deps.backUp()) : refused;
    },
    run: async (_store, _asked, _deps, backup) =>
      ok({ reply: backupToWire(backup), audit: { action: 'system.backup', subject: backup.file } }),
  }),
];
