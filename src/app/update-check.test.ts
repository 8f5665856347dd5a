import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '../../test/support/dns.ts';
import { checkForUpdates, type UpdateState } from './update-check.ts';

/** The state after the first check of a release page that answers with `body`. */
async function stateAfter(body: string, status = 200): Promise<UpdateState> {
  const server = createServer((_, response) => void response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const updates = checkForUpdates(`http://127.0.0.1:${port}/latest`, '1.2.3');
  try {
    await until('the first check', async () => updates.state()?.checkedAt);
    const { checkedAt, ...state } = updates.state()!;
    assert.ok(checkedAt! <= Date.now());
    return state;
  } finally {
    updates.stop();
    server.close();
  }
}

test('a newer version is known after the first check', async () => {
  assert.deepEqual(await stateAfter('{"tag_name":"v1.3.0"}'), { version: '1.3.0' });
  assert.deepEqual(await stateAfter('{"version":"1.2.3"}'), {});
  assert.deepEqual(await stateAfter('1.2.2'), {});
});

test('a failed check reports the reason', async () => {
  assert.deepEqual(await stateAfter('gone', 404), { problem: 'status 404' });
  assert.deepEqual(await stateAfter('<html>'), { problem: 'the answer has no version such as 1.2.3' });
  assert.deepEqual(await stateAfter('1'.repeat(1_000_001)), { problem: 'the answer has more than 1000000 bytes' });
  const unreachable = checkForUpdates('http://127.0.0.1:1/latest', '1.2.3');
  await until('the first check', async () => unreachable.state()?.checkedAt);
  assert.ok(unreachable.state()!.problem);
  unreachable.stop();
});

test('without a URL nothing is checked', () => {
  assert.equal(checkForUpdates(undefined, '1.2.3').state(), undefined);
});
