import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { err, ok } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import { restoreBackupOperations } from './restore-backup.ts';
import type { BackupUpload } from './upload.ts';

const backup = { createdAt: Date.UTC(2026, 10, 18), accounts: 2, devices: 3 };

async function openRestore(t: { after(end: () => unknown): void }, uploaded: Awaited<ReturnType<BackupUpload>>) {
  const calls: unknown[] = [];
  const api = await openApi(t, restoreBackupOperations, {
    restoreUpload: async (_content, action) => {
      calls.push(action);
      return uploaded;
    },
    onRestored: (restored) => calls.push(restored),
  });
  const [home, other] = [await api.account('home'), await api.account('other')];
  const send = async (operationId: string, caller: Caller) => {
    const { handler } = restoreBackupOperations.find((each) => each.operationId === operationId)!;
    assert.ok(handler.kind === 'query');
    const input = { caller, from: '192.0.2.1', body: Readable.from(['file']) };
    return handler.run(api.store.read, input as never, api.deps);
  };
  return { ...api, calls, home, other, send };
}

test('a backup replaces all accounts, with an entry in the audit log and in the log of the service', async (t) => {
  const { send, calls, home, store } = await openRestore(t, ok(backup));
  const summary = { created_millis: backup.createdAt, accounts: 2, devices: 3 };
  assert.deepEqual(await send('checkBackupToRestore', home), ok(summary));
  assert.deepEqual(await send('replaceWithBackup', home), ok(summary));
  assert.deepEqual(calls, ['check', 'replace', backup.createdAt]);
  const entries = await store.read.audit.list(home.account, { limit: 9 });
  assert.deepEqual(
    entries.map(({ action, subject }) => [action, subject]),
    [['system.restore_backup', '2026-11-18T00:00:00.000Z']],
  );
});

test('a damaged backup is refused, and nothing is noted', async (t) => {
  const why = 'is damaged or incomplete';
  const { send, calls, home, store } = await openRestore(t, err({ kind: 'not restorable', why }));
  const refused = await send('replaceWithBackup', home);
  assert.ok(!refused.ok);
  assert.match(JSON.stringify(refused.error), /backup.*is damaged or incomplete/);
  assert.deepEqual(calls, ['replace']);
  assert.deepEqual(await store.read.audit.list(home.account, { limit: 9 }), []);
});

test('users other than the operator are refused before the file is read', async (t) => {
  const { send, calls, other } = await openRestore(t, ok(backup));
  for (const operation of ['checkBackupToRestore', 'replaceWithBackup']) {
    const refused = await send(operation, other);
    assert.ok(!refused.ok && refused.error.kind === 'forbidden');
  }
  assert.deepEqual(calls, []);
});
