import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { alias, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const SHUT_OUT = '127.0.0.50';

const world = await startWorld({ after }, worldOf([alias('leads-there.example.com', 'forbidden.example.com')]));
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('asker');

/** The log has none of these names, although it has later queries. */
async function assertNoTrace(search: string): Promise<void> {
  const marker = `marker-of-${search}`;
  for (const over of overs) await home.dug(id, over, marker);
  const rows = await home.logged(search, overs.length);
  assert.deepEqual(
    rows.filter(({ domain }) => domain !== marker),
    [],
  );
}

test('blocked names of the access settings are not answered and not logged', needs, async () => {
  await home.set({ access_settings: { enabled: true, blocked_domain_rules: ['||forbidden.example.com^'] } });
  const asked = overs.flatMap((over) =>
    ['A', 'TXT', 'ANY'].map((type) => home.dig(id, over, '+time=1', 'forbidden.example.com', type)),
  );
  const debugged = home.dig(id, 'udp', '+time=1', '-c', 'CH', '-t', 'TXT', 'forbidden.example.com');
  for (const answer of await Promise.all([...asked, debugged])) assert.equal(answer, undefined);
  assert.equal(world.timesAsked('forbidden.example.com'), 0);
  await assertNoTrace('forbidden.example.com');
});

test('an alias of such a name does not lead there', needs, async () => {
  for (const over of overs)
    for (const _ of ['fresh', 'kept']) {
      const { answer } = await home.dug(id, over, 'leads-there.example.com');
      assert.deepEqual(answer, ['leads-there.example.com. 10 IN A 0.0.0.0']);
    }
});

test('clients that may not ask are not answered, and leave no trace', needs, async () => {
  await home.set({ access_settings: { enabled: true, blocked_domain_rules: [], blocked_clients: [`${SHUT_OUT}/32`] } });
  const asked = overs.map((over) => home.dig(id, over, '-b', SHUT_OUT, '+time=1', 'shut-out.example.com'));
  for (const answer of await Promise.all(asked)) assert.equal(answer, undefined);
  await assertNoTrace('shut-out.example.com');
});

test('an allowed device is answered even if its network is blocked', needs, async () => {
  await home.set({ access_settings: { blocked_clients: ['0.0.0.0/0', '::/0'], allowed_clients: [SHUT_OUT] } });
  for (const over of overs) {
    assert.equal((await home.dug(id, over, '-b', SHUT_OUT, 'let-in.example.com')).status, 'NOERROR');
    assert.equal(await home.dig(id, over, '+time=1', 'let-in.example.com'), undefined);
  }
  await home.set({ access_settings: { enabled: false } });
  for (const over of overs) assert.equal((await home.dug(id, over, 'let-in.example.com')).status, 'NOERROR');
});

const specials: readonly (readonly [settings: string, type: string, code: string, ...names: string[]])[] = [
  ['block_private_relay', 'A', 'NXDOMAIN', 'mask.icloud.com', 'mask-h2.icloud.com', 'mask-canary.icloud.com'],
  ['block_private_relay', 'TXT', 'NXDOMAIN', 'mask.icloud.com'],
  ['block_chrome_prefetch', 'A', 'NXDOMAIN', 'dns-tunnel-check.googlezip.net'],
  ['block_chrome_prefetch', 'AAAA', 'NXDOMAIN', 'dns-tunnel-check.googlezip.net'],
  ['block_firefox_canary', 'A', 'REFUSED', 'use-application-dns.net'],
  ['block_firefox_canary', 'AAAA', 'REFUSED', 'use-application-dns.net'],
];

for (const [setting, type, code, ...names] of specials)
  test(`${setting} answers ${type} of ${names.join(', ')} with ${code}, filtering or not`, needs, async () => {
    for (const protection of [false, true]) {
      await home.set({ [setting]: false, protection_enabled: protection });
      for (const name of names) assert.notEqual((await home.dug(id, 'udp', name, type)).status, code);
      await home.set({ [setting]: true });
      const answers = names.flatMap((name) => overs.map((over) => home.dug(id, over, name, type)));
      for (const { status } of await Promise.all(answers)) assert.equal(status, code);
    }
  });

test('discovery queries of programs are not logged', needs, async () => {
  await home.set({ block_private_relay: true });
  await home.ask('DELETE', '/oapi/v1/query_log');
  for (const over of overs) await home.dug(id, over, 'mask-canary.icloud.com');
  await assertNoTrace('mask-canary.icloud.com');
});

test('localhost never leaves the machine', needs, async () => {
  const { answer } = await home.dug(id, 'udp', 'localhost');
  assert.match(answer[0]!, /A 127\.0\.0\.1$/);
  assert.match((await home.dug(id, 'udp', 'any.localhost', 'AAAA')).answer[0]!, /AAAA ::1$/);
  assert.equal(world.timesAsked('localhost'), 0);
});
