import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSignInFlood } from './support/attacks/sign-in-flood.ts';
import { until } from './support/kit/until.ts';
import { startService } from './support/service.ts';
import { bin, start } from './support/weir.ts';

const EMAIL = 'anna@example.org';
const PASSWORD = 'correct horse battery staple';
const SIGN_INS = 20;
const AT_ONCE = 5;

test('sign-ins of other networks succeed while one network floods the sign-in', async (t) => {
  const service = await startService(t, ['--trusted-proxy', '127.0.0.1']);
  const words = ['account', 'create', '--data', service.data, '--email', EMAIL, '--password-stdin'];
  assert.equal((await start(`${bin}weir`, words, { cwd: service.data, stdin: PASSWORD }).ended).code, 0);
  const flood = await startSignInFlood({ url: service.url, networks: ['2001:db8:1'] });
  try {
    await until('the flood', () => flood.sent() > 200);
    const times: number[] = [];
    let succeeded = 0;
    const signIn = async (network: number): Promise<void> => {
      const startedAt = performance.now();
      const response = await fetch(`${service.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.${network}.7` },
        body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
      });
      await response.arrayBuffer();
      times.push(performance.now() - startedAt);
      if (response.status === 200) succeeded++;
    };
    for (let first = 0; first < SIGN_INS; first += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signIn(first + index)));
    times.sort((one, other) => one - other);
    t.diagnostic(
      `honest sign-ins: ${succeeded} of ${SIGN_INS}, median ${Math.round(times[SIGN_INS / 2]!)} ms, longest ${Math.round(times.at(-1)!)} ms; the flood sent ${flood.sent()}`,
    );
    assert.ok(succeeded >= 0.95 * SIGN_INS, `${succeeded} of ${SIGN_INS}`);
  } finally {
    await flood.stop();
  }
});
