import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultConnectionLimits } from '../resolver/transport/connections.ts';
import { connectionLimits, readDescriptors } from './descriptor-limits.ts';

const { connections, resumeAt, hellos, handshakes } = defaultConnectionLimits;

test('with many descriptors, or where their number is not known, the usual limits hold', () => {
  for (const descriptors of [undefined, { limit: 20_000, used: 50 }, { limit: 1_048_576, used: 50 }])
    assert.deepEqual(connectionLimits(descriptors), { connections, resumeAt, hellos, handshakes });
});

test('with few descriptors three TLS listeners leave at least half of those that are free', () => {
  for (const limit of [96, 256, 1024, 4096]) {
    const given = connectionLimits({ limit, used: 50 });
    const most = 3 * (given.connections + given.hellos + given.handshakes);
    assert.ok(most <= Math.max(24, (limit - 50) / 2, limit - 50 - 1024), `${most} of ${limit}`);
    assert.ok(given.resumeAt < given.connections && given.handshakes >= 2);
  }
});

test('the limit of this process is read where there is /proc', { skip: process.platform !== 'linux' }, () => {
  const { limit, used } = readDescriptors()!;
  assert.ok(limit > used && used > 2);
});
