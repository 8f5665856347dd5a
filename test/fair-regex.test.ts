import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { manyAlternatives, sameLetters, startExpressions } from './support/attacks/regex-rules.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { type Asks, addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { addAccount } from './support/second-account.ts';

// One account has the maximum of regular expressions and queries names that they are tried on. Another account must not be affected: cached
// and uncached answers, changes of settings, and memory of the service.

const SECONDS = 5;
const PATIENCE_MS = 5000;
const MIB = 2 ** 20;

const world = await startWorld({ after });
const service = await startDns({ after }, world.address, ['--queries-per-ten-seconds', '1000000']);
const honest = await makeHome(service);
const attacker = await addAccount(service, 'attacker@example.org');
const [{ id: honestDevice }, { id: attackingDevice }] = [
  await honest.device('honest'),
  await attacker.device('attacking'),
];

const residentBefore = await residentBytes();

const inTime = async (work: Promise<unknown>): Promise<boolean> => {
  const answered = work.then(() => true);
  return Promise.race([answered, sleep(PATIENCE_MS, false, { ref: false })]);
};

/** Sends queries at this rate for some seconds; returns the share that was answered. */
async function share(ask: Asks, perSecond: number, nameOf: (nth: number) => string): Promise<number> {
  const answers: Promise<boolean>[] = [];
  for (let nth = 0; nth < perSecond * SECONDS; nth++) {
    answers.push(inTime(ask(nameOf(nth))));
    await sleep(1000 / perSecond);
  }
  const all = await Promise.all(answers);
  return all.filter(Boolean).length / all.length;
}

async function changes(): Promise<readonly number[]> {
  const took: number[] = [];
  for (let nth = 0; nth < 2 * SECONDS; nth++) {
    const start = performance.now();
    await honest.set({ user_rules_settings: { enabled: true, rules: [`||blocked-${nth}.example.com^`] } });
    took.push(performance.now() - start);
    await sleep(Math.max(0, 500 - (performance.now() - start)));
  }
  return took.sort((one, other) => one - other);
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const attacks = { 'same letters': sameLetters(1000), '40 alternatives': manyAlternatives(1000) } as const;

async function withstand(t: TestContext, rules: readonly string[]): Promise<void> {
  const ask = await overUdp(t, service, honestDevice);
  for (let nth = 0; nth < 20; nth++) await ask(`cached-${nth}.example.com`);
  const attack = await startExpressions({
    url: service.url,
    authorization: attacker.authorization,
    server: attacker.server,
    device: attackingDevice,
    dns: { host: '127.0.0.1', port: service.ports.dns },
    queriesPerSecond: 20,
    rules,
  });
  const prefix = `${rules.length}-${Date.now()}`;
  const [cached, misses, took] = await Promise.all([
    share(ask, 50, (nth) => `cached-${nth % 20}.example.com`),
    share(ask, 10, (nth) => `miss-${prefix}-${nth}.example.com`),
    changes(),
  ]);
  const resident = await residentBytes();
  const { sent, answered } = attack.counts();
  const ready = await fetch(`${service.url}/health/ready`);
  const skipped = await until('the account is told of rules that were skipped', async () => {
    const told = await attacker.ask('GET', `/api/v1/dns_servers/${attacker.server}/skipped_rules`);
    return told.rules > 0 ? told : undefined;
  });
  await attack.stop();
  t.diagnostic(
    `${attack.rules} rules, attacker ${answered} of ${sent} answered; honest tenant: cached ${percent(cached)}, misses ${percent(misses)}, ` +
      `PUT median ${took[took.length >> 1]!.toFixed(0)} ms, slowest ${took.at(-1)!.toFixed(0)} ms; resident ${Math.round(resident / MIB)} MiB; ` +
      `the attacker is told of ${skipped.rules} rules skipped in ${skipped.decisions} decisions`,
  );
  assert.ok(attack.rules >= 10, 'the attack has rules');
  assert.ok(cached >= 0.99, `cached answers ${percent(cached)}`);
  assert.ok(misses >= 0.95, `misses ${percent(misses)}`);
  assert.ok(took[took.length >> 1]! <= 1000, `changes took ${took.map(Math.round).join(', ')} ms`);
  assert.ok(resident <= 512 * MIB, `${resident} bytes are resident`);
  assert.equal(ready.status, 200);
}

for (const [title, rules] of Object.entries(attacks))
  test(`1,000 expressions of one account (${title}) leave another account its answers and changes`, (t) =>
    withstand(t, rules));

test('after the rules are removed the service recovers within 60 seconds', async (t) => {
  const start = performance.now();
  const ask = await overUdp(t, service, attackingDevice);
  assert.equal(addressIn(await ask('after.example')), HERE);
  const limit = Math.max(1.25 * residentBefore, 512 * MIB);
  await until('memory is given back', async () => ((await residentBytes()) <= limit ? true : undefined));
  const seconds = (performance.now() - start) / 1000;
  const inMib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;
  t.diagnostic(
    `normal after ${seconds.toFixed(1)} s; resident ${inMib(residentBefore)} before, ${inMib(await residentBytes())} after`,
  );
  assert.ok(seconds <= 60);
});

test('expressions of a temporary rule count, and are refused beyond the limit of a DNS server', async () => {
  const add = async (rule: string) => {
    const response = await fetch(`${service.url}/api/v1/dns_servers/${attacker.server}/temporary_rules`, {
      method: 'POST',
      headers: { authorization: attacker.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ rule, minutes: 10 }),
    });
    return { status: response.status, body: (await response.json()) as { fields?: { field: string }[] } };
  };
  const answers = [];
  for (const nth of [0, 1, 2, 3, 4, 5]) answers.push(await add(`/(a|x)[abxyz.]{${940 + nth}}(b|y)/`));
  assert.equal(answers[0]!.status, 200);
  assert.equal(answers.at(-1)!.status, 400);
  assert.deepEqual(
    answers.at(-1)!.body.fields!.map(({ field }) => field),
    ['rule'],
  );
  assert.equal((await add('||plain.example^')).status, 200);
});

test('expressions beyond the limit are refused, and the first that is too many is named', async () => {
  const response = await fetch(`${service.url}/oapi/v1/dns_servers/${attacker.server}/settings`, {
    method: 'PUT',
    headers: { authorization: attacker.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ user_rules_settings: { rules: sameLetters(1000) } }),
  });
  assert.equal(response.status, 400);
  const { fields } = (await response.json()) as { fields: { field: string; error_code: string }[] };
  assert.equal(fields.length, 1);
  assert.equal(fields[0]!.error_code, 'FIELD_REACHED_LIMIT');
  assert.match(fields[0]!.field, /^user_rules_settings\.rules\[\d+\]$/);
});
