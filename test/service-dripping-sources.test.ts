import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { startDrippingSources } from './support/attacks/dripping-sources.ts';
import { until } from './support/kit/until.ts';
import { startService } from './support/service.ts';

const service = await startService({ after }, ['--allow-source-address', '127.0.0.1/32']);

/** Compiles two inline rules from a local address; the status and how long the answer took. */
async function compileInline(localAddress: string, name: string): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(`${service.url}/compile`, {
    method: 'POST',
    localAddress,
    agent: false,
    signal: AbortSignal.timeout(20_000),
    headers: { 'content-type': 'application/json' },
  });
  sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode ?? 0));
  const sources = [{ source: '||ads.example.org^\n||track.example.net^' }];
  sent.end(JSON.stringify({ configuration: { name, sources } }));
  return { status: await promise, ms: performance.now() - startedAt };
}

test('an inline compilation is answered within a second beside ten dripping sources', async (t) => {
  // The first one starts the thread.
  assert.equal((await compileInline('127.0.0.3', 'before')).status, 200);
  const attack = await startDrippingSources({ url: service.url, count: 10 });
  t.after(attack.stop);
  await until('dripping downloads', () => attack.server.open() >= 4);
  const times: number[] = [];
  for (let at = 0; at < 5; at++) {
    const { status, ms } = await compileInline('127.0.0.3', `beside ${at}`);
    assert.equal(status, 200);
    times.push(ms);
  }
  t.diagnostic(
    `inline compilations beside 10 dripping sources: ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`,
  );
  // The median: a machine may stop one of them for a second.
  assert.ok(times.toSorted((a, b) => a - b)[2]! <= 1000, `${times.join()} ms`);
});
