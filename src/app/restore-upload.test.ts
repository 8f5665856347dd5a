import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { openFor } from '../../test/support/store/stores.ts';
import { answerMalformed } from '../http/malformed-requests.ts';
import { readSlowly } from '../http/slow-requests.ts';
import { writeBackup } from '../store/backup-file.ts';
import { removeLeftoverUploads, restoreUpload } from './restore-upload.ts';

const noBackup = async (): Promise<void> => assert.fail('only before accounts are replaced');

const NOW = Date.UTC(2026, 10, 18);

test('an upload is checked, restored once, and not left on the disk', async (t) => {
  const [folder, data] = [await temporaryFolder(t), await temporaryFolder(t)];
  const file = join(folder, 'backup');
  const source = await openFor(t, { folder: join(folder, 'source') });
  const made = newAccount('anna', 0xa0);
  await source.inTransaction(async (tx) => {
    await tx.accounts.create(made);
    await tx.devices.add(deviceNumber(1, made.profile));
  });
  await source.backup(file, NOW);
  const whole = await readFile(file);
  const store = await openFor(t, { folder: data });
  const upload = restoreUpload(data, store, noBackup);
  const why = async (content: Buffer | string) => {
    const result = await upload(Readable.from([Buffer.from(content)]), 'restore');
    return result.ok ? 'restored' : 'why' in result.error ? result.error.why : result.error.kind;
  };
  assert.equal(await why('hello\n'), 'is not a backup');
  assert.equal(await why(whole.subarray(0, -20)), 'is damaged or incomplete');
  await writeBackup(
    join(folder, 'new'),
    { format: 'weir backup', version: 1000, createdAt: 1 },
    (async function* () {})(),
  );
  assert.match(await why(await readFile(join(folder, 'new'))), /^was written by a newer version/);
  const foreign = (async function* () {
    yield { table: 'sqlite_master', row: {} };
  })();
  await writeBackup(join(folder, 'odd'), { format: 'weir backup', version: 1, createdAt: 1 }, foreign);
  assert.equal(await why(await readFile(join(folder, 'odd'))), 'is damaged or incomplete');
  const small = restoreUpload(data, store, noBackup, { most: whole.length - 1 });
  assert.deepEqual(await small(Readable.from([whole]), 'check'), { ok: false, error: { kind: 'too large' } });
  let parts = 0;
  const cut = new Readable({
    read() {
      if (parts++ === 0) this.push(whole.subarray(0, 100));
      else this.destroy(new Error('aborted'));
    },
  });
  assert.deepEqual(await upload(cut, 'restore'), {
    ok: false,
    error: { kind: 'not restorable', why: 'the upload is incomplete' },
  });
  const checked = await upload(Readable.from([whole]), 'check');
  assert.deepEqual(checked, { ok: true, value: { createdAt: NOW, accounts: 1, devices: 1 } });
  assert.equal(await store.read.accounts.count(), 0);
  assert.equal(await why(whole), 'restored');
  assert.equal(await store.read.accounts.count(), 1);
  assert.match(await why(whole), /^the database already has accounts/);
  const steps: string[] = [];
  const replacing = restoreUpload(
    data,
    { ...store, restore: async (_file, options) => void steps.push(`restore ${options?.isReplacing}`) },
    async () => steps.push('backup'),
  );
  assert.ok((await replacing(Readable.from([whole]), 'replace')).ok);
  assert.deepEqual(steps, ['backup', 'restore true']);
  assert.deepEqual(await readdir(join(data, 'backups')), []);
  await writeFile(join(data, 'backups', 'upload-1'), 'of a killed service');
  await writeFile(join(data, 'backups', 'kept'), '');
  await removeLeftoverUploads(data);
  assert.deepEqual(await readdir(join(data, 'backups')), ['kept']);
  await removeLeftoverUploads(folder);
});

/** A server that ends requests after 300 ms, and its answer to a body whose second part is sent after that. */
async function sent(t: TestContext, stalledMs: number, [first, second]: readonly [string, string?]): Promise<string> {
  const server = createServer({ requestTimeout: 300, headersTimeout: 300, connectionsCheckingInterval: 20 });
  server.on('clientError', answerMalformed);
  server.on('request', (request, response) => {
    const read = readSlowly(request, stalledMs, (body) => Array.fromAsync(body, String));
    read.then(
      (parts) => response.end(`got ${parts.join(',')}`),
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  const received: Buffer[] = [];
  socket.on('data', (part: Buffer) => received.push(part));
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nconnection: close\r\n\r\n${first}`);
  if (second !== undefined) {
    await once(server, 'clientError');
    socket.write(second);
  }
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}

test('an upload may take longer than other requests, but not without progress', async (t) => {
  assert.match(await sent(t, 60_000, ['ab', 'cd']), /got ab,cd$/);
  assert.equal(await sent(t, 30, ['ab']), '');
});
