import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { homeOf, makeHome, OWNER, PASSWORD, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { faketimeFor } from './support/faketime.ts';
import { httpOrigin } from './support/net/origin.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

const CHANGES = 20;
const AHEAD_SECONDS = 300;
const HOUR_MS = 3_600_000;
const BLOCKED = '0.0.0.0';

test('a change at one node reaches the other node of the same database, and never goes back', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const flags = ['--database', database, '--allow-source-address', '127.0.0.0/8'];
  const home = await makeHome(await startDns(t, world.address, flags));
  // Its clock is five minutes ahead.
  const clock = faketimeFor.skip ? undefined : await faketimeFor.clock(t);
  await clock?.shift(`+${AHEAD_SECONDS}`);
  const other = await startDns(t, world.address, flags, { env: clock?.env ?? {} });
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

  // A session of each node is valid at the other one, and both find the queries of both, counted once.
  const there = await homeOf(other, home.authorization);
  const signedIn = await there.ask('POST', '/api/v1/session', { email: OWNER, password: PASSWORD });
  const here = await homeOf(home.service, `Bearer ${signedIn.access_token}`);
  const askHere = await overUdp(t, home.service, id, 1);
  await askHere('logged.example.com');
  await ask('logged.example.com');
  const from = Date.now() - HOUR_MS;
  const to = Date.now() + HOUR_MS;
  for (const node of [here, there]) {
    const range = `time_from_millis=${from}&time_to_millis=${to}`;
    const items = await until('the queries of both nodes', async () => {
      const found = (await node.ask('GET', `/oapi/v1/query_log?${range}&search=logged.example.com`)).items;
      return found.length === 2 ? (found as { time_millis: number }[]) : undefined;
    });
    const apart = Math.abs(items[0]!.time_millis - items[1]!.time_millis) / 1000;
    if (clock) assert.ok(apart > AHEAD_SECONDS - 60 && apart < AHEAD_SECONDS + 60, `${apart} s apart`);
  }
});
