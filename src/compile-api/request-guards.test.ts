import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fixedWindow } from '../kit/fixed-window.ts';
import { callerOf, type RateLimiter } from './request-guards.ts';

test('a window of this process is a rate limiter', async () => {
  const limiter: RateLimiter = fixedWindow({ limit: 1, windowMs: 60_000, maxKeys: 10, now: () => 0 });
  assert.equal((await limiter.take('192.0.2.1')).allowed, true);
  assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, limit: 1, remaining: 0, resetMs: 60_000 });
});

for (const isUsedBefore of [true, false])
  test(`a closed connection aborts the signal of its caller, used ${isUsedBefore ? 'before' : 'after'} that`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
    sent.on('error', () => {});
    const [raw, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const caller = callerOf({ raw } as FastifyRequest, { raw: response } as unknown as FastifyReply, '192.0.2.1');
    if (isUsedBefore) assert.equal(caller.gone().aborted, false);
    sent.destroy();
    await once(response, 'close');
    assert.equal(caller.gone().aborted, true);
    assert.equal(caller.gone(), caller.gone());
  });
