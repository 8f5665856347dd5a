import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { change, type Operation, read } from './operation.ts';
import type { Refusal } from './problems.ts';
import type { Reading } from './store-deps.ts';
import { Backup, backupToWire, System, systemToWire } from './wire/system.ts';

const group = 'System';

/** Who runs the installation, and not only an account on it. */
async function whyNotOperator(
  store: Pick<Reading, 'accounts'>,
  { account, email, role }: Caller,
  { operator }: Deps,
): Promise<Result<undefined, Refusal>> {
  const isTheirs = operator === 'first' ? (await store.accounts.oldest()) === account : operator === email;
  if (isTheirs && role === 'owner') return ok(undefined);
  return err({ kind: 'forbidden', why: 'This is for whoever runs this installation' });
}

export const systemOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/system',
    operationId: 'getSystem',
    who: 'self',
    group,
    summary: 'How the installation is',
    description: 'For its operator: an owner of the first account, unless the setting `operator` names somebody else.',
    reply: System,
    replyWords: 'Versions, listeners, upstreams, lists, figures and the last backup.',
    run: async (store, { caller }, deps) => {
      const refused = await whyNotOperator(store, caller, deps);
      return refused.ok ? ok(systemToWire(await deps.system())) : refused;
    },
  }),
  change({
    method: 'POST',
    path: '/api/v1/system/backup',
    operationId: 'createBackup',
    who: 'self',
    group,
    summary: 'Make a backup of all accounts',
    description:
      'As `weir backup` does, into the folder `backups` of the data; the newest ten stay. The query log is not part of it.',
    reply: Backup,
    replyWords: 'Where it is.',
    prepare: async (deps, { caller }) => {
      const refused = await whyNotOperator(deps.store.read, caller, deps);
      return refused.ok ? ok(await deps.backUp()) : refused;
    },
    run: async (_store, _asked, _deps, backup) =>
      ok({ reply: backupToWire(backup), audit: { action: 'system.backup', subject: backup.file } }),
  }),
];
