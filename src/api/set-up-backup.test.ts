import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { err, ok } from '../kit/result.ts';
import { offerSetUp } from '../operations/set-up.ts';
import { setUpBackupOperations } from './set-up-backup.ts';
import type { BackupUpload } from './upload.ts';

type Uploaded = Awaited<ReturnType<BackupUpload>>;

async function openSetUp(t: { after(end: () => unknown): void }, uploaded: Uploaded) {
  const actions: string[] = [];
  const api = await openApi(t, setUpBackupOperations, {
    restoreUpload: async (_content, action) => {
      actions.push(action);
      return uploaded;
    },
  });
  const token = (await offerSetUp(api.deps))!;
  const send = async (operationId: string, authorization: readonly string[] = [`Bearer ${token}`]) => {
    const { handler } = setUpBackupOperations.find((each) => each.operationId === operationId)!;
    assert.ok(handler.kind === 'public');
    return handler.run(api.deps, { authorization, body: Readable.from(['file']) } as never);
  };
  return { ...api, token, send, actions };
}
const right = ok({ createdAt: 1000, accounts: 2, devices: 3 });
const fieldOf = (result: Awaited<ReturnType<Awaited<ReturnType<typeof openSetUp>>['send']>>) =>
  !result.ok && result.error.kind === 'invalid' && result.error.errors.map(({ field }) => field);

test('a backup is checked or restored, and its content is the response', async (t) => {
  const { send, actions } = await openSetUp(t, right);
  const summary = { ok: true, value: { created_millis: 1000, accounts: 2, devices: 3 } };
  assert.deepEqual(await send('checkBackup'), summary);
  assert.deepEqual(await send('restoreBackup'), summary);
  assert.deepEqual(actions, ['check', 'restore']);
});

test('without the setup token, with a wrong one or with two headers the file is not read', async (t) => {
  const { send, token, actions } = await openSetUp(t, right);
  const bearer = `Bearer ${token}`;
  for (const authorization of [[], ['Bearer AAAA-AAAA-AAAA'], ['Basic'], [bearer, bearer]])
    assert.deepEqual(fieldOf(await send('restoreBackup', authorization)), ['token'], String(authorization));
  assert.deepEqual(actions, []);
});

test('the token is refused as soon as an account exists', async (t) => {
  const { account, send, actions } = await openSetUp(t, right);
  await account('home');
  assert.deepEqual(fieldOf(await send('restoreBackup')), ['token']);
  assert.deepEqual(actions, []);
});

test('a file that cannot be restored is an error of the field; one that is too large has an error of this kind', async (t) => {
  const damaged = await openSetUp(t, err({ kind: 'not restorable', why: 'is damaged' }));
  const errors = [{ field: 'backup', kind: 'wrong value', message: 'is damaged' }];
  assert.deepEqual(await damaged.send('checkBackup'), { ok: false, error: { kind: 'invalid', errors } });
  const large = await openSetUp(t, err({ kind: 'too large' }));
  assert.deepEqual(await large.send('checkBackup'), { ok: false, error: { kind: 'too large' } });
});
