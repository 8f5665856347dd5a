import { auditEntry } from '../operations/audit-entry.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { BackupFile, BackupSummary, backupToWire } from './set-up-backup.ts';
import { UPLOAD_TYPE } from './upload.ts';

const described = {
  method: 'POST',
  group: 'System',
  requires: 'self',
  body: BackupFile,
  bodyTypes: [UPLOAD_TYPE],
  reply: BackupSummary,
  errors: [400],
} as const;

type By = { readonly caller: Caller; readonly from: string };

/** Also logged by the service, because the backup may not contain the account of the operator. */
async function note(deps: Deps, { caller, from }: By, created: number): Promise<void> {
  deps.onRestored(created);
  await deps.store.inTransaction(async ({ accounts, audit }) => {
    if (!(await accounts.find(caller.account))) return;
    const subject = new Date(created).toISOString();
    await audit.add(auditEntry(deps, { ...caller, from }, { action: 'system.restore_backup', subject }));
  });
}

/** In a running installation. */
export const restoreBackupOperations: readonly Operation[] = [
  query({
    ...described,
    path: '/api/v1/system/backup/check',
    operationId: 'checkBackupToRestore',
    summary: 'Check a backup before it is restored',
    description: 'Only for the operator. Nothing is stored.',
    responseDescription: 'The backup is complete and can be restored.',
    run: async (_store, { caller, body }, deps) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? backupToWire(await deps.restoreUpload(body, 'check')) : refused;
    },
  }),
  query({
    ...described,
    path: '/api/v1/system/backup/restore',
    operationId: 'replaceWithBackup',
    summary: 'Replace all accounts with those of a backup',
    description:
      'Only for the operator. A backup of the current accounts is made first. All accounts and settings of the backup are restored, or nothing; accounts that it does not have are deleted with their query logs. All sessions end; API keys are those of the backup. Nodes keep their keys.',
    responseDescription: 'The backup is restored. Sign in with an account of it.',
    run: async (_store, { caller, from, body }, deps) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      const restored = backupToWire(await deps.restoreUpload(body, 'replace'));
      if (restored.ok) await note(deps, { caller, from }, restored.value.created_millis);
      return restored;
    },
  }),
];
