import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { maintenanceOperations } from './maintenance.ts';

async function openMaintenance(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const calls: string[] = [];
  const api = await openApi(t, maintenanceOperations, {
    maintenance: {
      askUpstream: async (upstream) => {
        calls.push(`ask ${upstream}`);
        return upstream === '9.9.9.9' ? { kind: 'answer', ms: 12 } : { kind: 'failed', why: 'timeout' };
      },
      examine: async () => {
        calls.push('examine');
        return [{ check: 'ports', state: 'ok', text: 'Ports are open.' }];
      },
      clearCache: () => calls.push('clear') < 2,
      reloadCertificates: async () => void calls.push('reload'),
    },
    openBackup: async () => {
      calls.push('open');
      return { name: 'a.backup', bytes: 3, content: Readable.from([Buffer.from('abc')]) };
    },
    ...given,
  });
  const download = async (caller: Caller) => {
    const { handler } = maintenanceOperations.find(({ operationId }) => operationId === 'downloadBackup')!;
    assert.ok(handler.kind === 'query');
    return handler.run(api.store.read, { caller, from: '192.0.2.1' } as never, api.deps);
  };
  return { ...api, home: await api.account('home'), calls, download };
}
const upstream = (text: string) => ({ body: { upstream: text } });

test('the test of an upstream has the time of the answer, or the reason without one', async (t) => {
  const { done, home } = await openMaintenance(t);
  assert.deepEqual((await done('testUpstream', home, upstream('9.9.9.9'))).reply, { is_answered: true, time_ms: 12 });
  assert.deepEqual((await done('testUpstream', home, upstream('192.0.2.1'))).reply, {
    is_answered: false,
    problem: 'timeout',
  });
});

test('the checks of the doctor are the response', async (t) => {
  const { done, home } = await openMaintenance(t);
  assert.deepEqual((await done('runDoctor', home)).reply, [{ check: 'ports', state: 'ok', text: 'Ports are open.' }]);
});

test('the cache is cleared with an audit note; a cache in use is a reason to try again after a second', async (t) => {
  const { call, home } = await openMaintenance(t);
  const audit = { action: 'system.clear_cache' };
  assert.deepEqual(await call('clearCache', home), { ok: true, value: { reply: undefined, audit } });
  const error = { kind: 'slow down', retryAfterSeconds: 1 };
  assert.deepEqual(await call('clearCache', home), { ok: false, error });
});

test('certificate files are read again with an audit note', async (t) => {
  const { done, home, calls } = await openMaintenance(t);
  assert.deepEqual(await done('reloadCertificates', home), {
    reply: undefined,
    audit: { action: 'system.reload_certificates' },
  });
  assert.deepEqual(calls, ['reload']);
});

test('the newest backup is a file with its name and size, and its download is audited', async (t) => {
  const { download, home, store } = await openMaintenance(t);
  const result = await download(home);
  assert.ok(result.ok);
  const { headers, content } = result.value as { headers: object; content: Readable };
  assert.deepEqual(headers, {
    'content-type': 'application/octet-stream',
    'content-length': '3',
    'content-disposition': 'attachment; filename="a.backup"',
  });
  assert.deepEqual(Buffer.concat(await content.toArray()), Buffer.from('abc'));
  const [entry] = await store.read.audit.list(home.account, { limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.subject, entry?.by, entry?.from],
    ['system.download_backup', 'a.backup', home.email, '192.0.2.1'],
  );
});

test('before the first backup the download is not found, and not audited', async (t) => {
  const { download, home, store } = await openMaintenance(t, { openBackup: async () => undefined });
  assert.deepEqual(await download(home), { ok: false, error: { kind: 'not found', what: 'backup' } });
  assert.deepEqual(await store.read.audit.list(home.account, { limit: 1 }), []);
});

test('users other than the operator are refused before anything is done', async (t) => {
  const { account, call, calls, download } = await openMaintenance(t);
  const other = await account('other');
  const refused = [
    await call('testUpstream', other, upstream('9.9.9.9')),
    await call('runDoctor', other),
    await call('clearCache', other),
    await call('reloadCertificates', other),
    await download(other),
  ];
  assert.deepEqual(
    refused.map((result) => !result.ok && result.error.kind),
    refused.map(() => 'forbidden'),
  );
  assert.deepEqual(calls, []);
});

test('every operation needs a session: an API key is not enough', () => {
  for (const { operationId, handler } of maintenanceOperations)
    assert.equal(handler.kind !== 'public' && handler.requires, 'self', operationId);
});
