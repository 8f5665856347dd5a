import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { localRecordOperations } from './local-records.ts';

const record = { name: 'NAS.Home', type: 'A', value: '192.168.1.9' };

test('records are stored in canonical form, replaced and deleted, each with an audit note', async (t) => {
  const { account, done } = await openApi(t, localRecordOperations);
  const home = await account('home');
  const { reply, audit } = await done('createLocalRecord', home, { body: record });
  assert.deepEqual([reply.name, audit!.action, audit!.subject], ['nas.home', 'local_record.create', reply.id]);
  const params = { local_record_id: reply.id };
  await done('updateLocalRecord', home, { params, body: { ...record, value: '192.168.1.10' } });
  const listed = async () => (await done('listLocalRecords', home)).reply;
  assert.deepEqual(
    (await listed()).map(({ value }: { value: string }) => value),
    ['192.168.1.10'],
  );
  await done('removeLocalRecord', home, { params });
  assert.deepEqual(await listed(), []);
});

test('invalid records are errors of their fields, and equal ones are refused', async (t) => {
  const { account, call, done } = await openApi(t, localRecordOperations);
  const [home, other] = [await account('home'), await account('other')];
  await done('createLocalRecord', home, { body: record });
  for (const [field, body] of [
    ['name', { ...record, name: 'a..b' }],
    ['value', { ...record, name: 'b.home', value: '192.168.1' }],
    ['dns_server_id', { ...record, name: 'c.home', dns_server_id: other.server }],
  ] as const) {
    const result = await call('createLocalRecord', home, { body });
    assert.ok(!result.ok && result.error.kind === 'invalid', field);
    assert.deepEqual(
      result.error.errors.map((error) => error.field),
      [field],
    );
  }
  assert.equal((await call('createLocalRecord', home, { body: { ...record, name: 'nas.home' } })).ok, false);
});

test('records of another account are not found', async (t) => {
  const { account, call, done } = await openApi(t, localRecordOperations);
  const [home, other] = [await account('home'), await account('other')];
  const params = { local_record_id: (await done('createLocalRecord', home, { body: record })).reply.id };
  for (const operation of ['updateLocalRecord', 'removeLocalRecord']) {
    const result = await call(operation, other, { params, body: record });
    assert.deepEqual(result, { ok: false, error: { kind: 'not found', what: 'local record' } });
  }
  assert.deepEqual((await done('listLocalRecords', other)).reply, []);
});

test('of a hosts file the valid lines are imported, and the others are named', async (t) => {
  const { account, call, done } = await openApi(t, localRecordOperations);
  const [home, other] = [await account('home'), await account('other')];
  await done('createLocalRecord', home, { body: record });
  const hosts =
    '127.0.0.1 localhost\n192.168.1.9 nas.home\n192.168.1.20 printer.home tv.home # rooms\nnot an address\n';
  const { reply, audit } = await done('importLocalRecords', home, { body: { hosts } });
  assert.deepEqual([reply.added, reply.unchanged, reply.errors.length], [2, 1, 1]);
  assert.equal(audit!.action, 'local_record.import');
  assert.equal((await done('listLocalRecords', home)).reply.length, 3);
  const elsewhere = await call('importLocalRecords', home, { body: { hosts, dns_server_id: other.server } });
  assert.equal(elsewhere.ok, false);
});
