import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FoundAddresses,
  fixedAddress,
  knownAddress,
  lookedUpAddresses,
  lookupBySystem,
  within,
} from './host-addresses.ts';

function watched(...answers: (FoundAddresses | Error)[]) {
  const clock = { ms: 0 };
  let lookups = 0;
  const addresses = lookedUpAddresses(
    'dns.example',
    async () => {
      const next = answers[Math.min(lookups++, answers.length - 1)]!;
      if (next instanceof Error) throw next;
      return next;
    },
    () => clock.ms,
  );
  return { clock, lookups: () => lookups, ...addresses };
}
const at = (addresses: string[], ttlSeconds = 300): FoundAddresses => ({ addresses, ttlSeconds });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a name is looked up when it is first needed, once for all who need it', async () => {
  const { get, lookups } = watched(at(['192.0.2.1']));
  assert.equal(lookups(), 0);
  assert.deepEqual(await Promise.all([get(), get(), get()]), ['192.0.2.1', '192.0.2.1', '192.0.2.1']);
  assert.equal(lookups(), 1);
});

test('an address that fails is followed by the next, and the last by a new look-up', async () => {
  const { clock, get, failed, lookups } = watched(at(['192.0.2.1', '192.0.2.2']), at(['192.0.2.3']));
  failed(await get());
  assert.equal(await get(), '192.0.2.2');
  clock.ms = 2000;
  failed('192.0.2.2');
  await settled();
  assert.equal(await get(), '192.0.2.3');
  assert.equal(lookups(), 2);
});

test('failures in plenty are one look-up a second', async () => {
  const { clock, get, failed, lookups } = watched(at(['192.0.2.1']));
  await get();
  clock.ms = 2000;
  for (let i = 0; i < 100; i++) {
    failed('192.0.2.1');
    await settled();
  }
  assert.equal(lookups(), 2);
});

test('a failure at an address that is no longer used changes nothing', async () => {
  const { get, failed } = watched(at(['192.0.2.1', '192.0.2.2']));
  await get();
  failed('192.0.2.9');
  assert.equal(await get(), '192.0.2.1');
});

test('an old address serves until there is a new one, also when none is found', async () => {
  const { clock, get, lookups } = watched(at(['192.0.2.1']), new Error('down'), at(['192.0.2.2']));
  await get();
  clock.ms = 299_000;
  await get();
  assert.equal(lookups(), 1);
  clock.ms = 301_000;
  assert.equal(await get(), '192.0.2.1');
  await settled();
  assert.equal(await get(), '192.0.2.1');
  clock.ms = 303_000;
  await get();
  await settled();
  assert.equal(await get(), '192.0.2.2');
});

test('a TTL of 0 and one of a year are a minute and an hour', async () => {
  for (const [ttl, ms] of [
    [0, 60_000],
    [31_536_000, 3_600_000],
  ] as const) {
    const { clock, get, lookups } = watched(at(['192.0.2.1'], ttl));
    await get();
    clock.ms = ms - 1;
    await get();
    assert.equal(lookups(), 1);
    clock.ms = ms;
    await get();
    assert.equal(lookups(), 2);
  }
});

test('a name without an address is reported as such, and looked up again by the next query', async () => {
  const { get } = watched(at([]), at(['192.0.2.1']));
  await assert.rejects(get(), /dns.example has no address/);
  assert.equal(await get(), '192.0.2.1');
});

test('an address needs no look-up, and neither does this machine', async () => {
  assert.equal(await fixedAddress('192.0.2.1').get(), '192.0.2.1');
  assert.equal(knownAddress('192.0.2.1'), '192.0.2.1');
  assert.equal(knownAddress('localhost'), '127.0.0.1');
  assert.equal(knownAddress('dns.example'), undefined);
});

test('the system resolver is used with a time limit', async () => {
  assert.ok((await lookupBySystem()('localhost')).addresses.includes('127.0.0.1'));
  await assert.rejects(within(30, new Promise(() => {}), 'dns.example'), /looking dns.example up took too long/);
  await assert.rejects(lookupBySystem()('does-not-exist.invalid'), { name: 'DialError', why: 'no address' });
});
