import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type Libc, libc } from '../../platform/libc.ts';
import { pooledRandom } from '../upstream/random.ts';
import { openSocketPool } from './socket-pool.ts';

const random = pooledRandom((bytes) => void randomFillSync(bytes));

async function open(t: TestContext, size: number) {
  const server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address();
  let opened = 0;
  const pool = openSocketPool(libc() as Libc, {
    address: '127.0.0.1',
    port,
    size,
    random,
    opened: () => {
      opened += 1;
      return true;
    },
  });
  t.after(() => pool.close());
  return { pool, opened: () => opened };
}

const isPossible = typeof libc() !== 'string';

test('a socket is replaced after many uses, and only when no query is in flight on it', {
  skip: !isPossible,
}, async (t) => {
  const { pool, opened } = await open(t, 1);
  for (let use = 0; use < 128; use++) {
    assert.equal(pool.pick(0), 0);
    pool.begin(0);
  }
  assert.equal(pool.pick(0), -1, 'all uses are gone and queries are in flight');
  for (let use = 0; use < 128; use++) pool.end(0);
  const before = pool.fdOf(0);
  assert.equal(pool.pick(0), 0);
  assert.equal(opened(), 2);
  assert.ok(pool.fdOf(0) >= 0 && before >= 0);
});

test('old sockets are closed when they are idle', { skip: !isPossible }, async (t) => {
  const { pool } = await open(t, 64);
  const busy = pool.pick(0);
  pool.begin(busy);
  while (pool.open() < 10) pool.pick(0);
  pool.closeOld(29_000);
  assert.equal(pool.open(), 10);
  pool.closeOld(31_000);
  assert.equal(pool.open(), 1);
  pool.end(busy);
  pool.closeOld(31_000);
  assert.equal(pool.open(), 0);
});
