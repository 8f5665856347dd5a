import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { httpOrigin } from './support/net/origin.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

const CHANGES = 20;
const BLOCKED = '0.0.0.0';

test('a change at one node reaches the other node of the same database, and never goes back', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const flags = ['--database', database, '--allow-source-address', '127.0.0.0/8'];
  const home = await makeHome(await startDns(t, world.address, flags));
  const other = await startDns(t, world.address, flags);
  const { id } = await home.device('elsewhere');
  const ask = await overUdp(t, other, id, 2);
  const answer = async (): Promise<string | undefined> => addressIn(await ask('changing.example.com'));
  const tookMs: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const isBlocked = change % 2 === 0;
    await home.set({ user_rules_settings: { enabled: true, rules: isBlocked ? ['||changing.example.com^'] : [] } });
    const startedAt = performance.now();
    const wanted = isBlocked ? BLOCKED : HERE;
    await until('the change at the other node', async () => ((await answer()) === wanted ? true : undefined));
    tookMs.push(performance.now() - startedAt);
    for (let again = 0; again < 5; again++) {
      assert.equal(await answer(), wanted, 'a version that was seen stays');
      await sleep(5);
    }
  }
  tookMs.sort((one, another) => one - another);
  t.diagnostic(
    `P9 changes at another node: ${CHANGES} of ${CHANGES} in effect, median ${Math.round(tookMs[CHANGES / 2]!)} ms, slowest ${Math.round(tookMs.at(-1)!)} ms`,
  );

  let downloads = 0;
  const origin = await httpOrigin(t, (_, response) => {
    downloads++;
    response.end('||listed.example.com^\n');
  });
  const list = await home.ask('POST', '/api/v1/custom_lists', { name: 'Shared', url: `${origin.url}/list.txt` });
  const chosen = { custom_lists: [{ id: list.id }] };
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, chosen);
  const isListed = async () => (addressIn(await ask('listed.example.com')) === BLOCKED ? true : undefined);
  await until('the list at the other node', isListed);
  assert.equal(downloads, 1, 'one node downloads for both');
});
