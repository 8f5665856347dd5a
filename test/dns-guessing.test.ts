import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startIdGuessing } from './support/attacks/id-guessing.ts';
import { type Over, overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { until } from './support/kit/until.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig') || missing('kdig') };

// So few that no token is refilled during the test, even if the machine stops it for seconds.
const PER_MINUTE = 2;
const GUESSES = 2000;
const HONEST = 40;
const BAR = 0.95;

async function setUp() {
  const world = await startWorld({ after });
  // By default loopback has no limits.
  const limits = ['--unlimited-clients', '192.0.2.0/24', '--wrong-ids-per-minute', `${PER_MINUTE}`];
  const flags = [...limits, '--queries-per-ten-seconds', '100000'];
  const home = await makeHome(await startDns({ after }, world.address, flags));
  const statusOf = async (device: string, over: Over): Promise<string | undefined> =>
    (await home.dig(device, over, 'www.example.com'))?.status;
  const [used, fresh] = [await home.device('used before'), await home.device('not used before')];
  for (const over of overs) assert.equal(await statusOf(used.id, over), 'NOERROR');
  return { home, statusOf, used, fresh };
}

const { home, statusOf, used, fresh } = needs.skip ? ({} as Awaited<ReturnType<typeof setUp>>) : await setUp();

async function rejected(outcome: 'unknown' | 'throttled'): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${home.service.adminPort}/metrics`)).text();
  return Number(new RegExp(`^weir_dns_rejected_ids_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
}

test(
  'guessing ids and passwords is throttled; devices of the same network that were used before go on',
  needs,
  async (t) => {
    const attack = await startIdGuessing({
      host: '127.0.0.1',
      ports: { doh: home.service.ports.doh },
      device: used.id,
    });
    t.after(attack.stop);
    const counts = () => Object.values(attack.counts());
    await until('the attack to be under way', () => counts().every(({ sent }) => sent > 2 * PER_MINUTE));

    let answered = 0;
    for (let nth = 0; nth < HONEST; nth++)
      if ((await statusOf(used.id, overs[nth % overs.length]!)) === 'NOERROR') answered++;
    await until(`${GUESSES} guesses`, () => counts().every(({ sent }) => sent >= GUESSES));
    // A right guess gets the same response as a wrong one.
    for (const over of ['tcp', 'dot', 'doh'] as const) assert.equal(await statusOf(fresh.id, over), 'REFUSED');
    await attack.stop();

    const guesses = counts().reduce((sum, { sent }) => sum + sent, 0);
    const [unknown, throttled] = [await rejected('unknown'), await rejected('throttled')];
    t.diagnostic(`honest queries of a device used before: ${answered} of ${HONEST}`);
    t.diagnostic(`guesses over HTTPS: ${guesses}, looked up: ${unknown}, refused without a look-up: ${throttled}`);
    assert.ok(answered >= BAR * HONEST, `${answered} of ${HONEST}`);
    assert.deepEqual(
      counts().map((count) => count.answered),
      [0, 0],
    );
    assert.ok(unknown < guesses / 10 && throttled > guesses / 2, `${unknown} looked up, ${throttled} throttled`);
  },
);

test('UDP has a separate limit', needs, async () => {
  assert.equal(await statusOf(fresh.id, 'udp'), 'NOERROR');
  const other = await home.device('later');
  const wrong = Array.from({ length: 2 * PER_MINUTE }, (_, nth) => (0xbad0_0000 + nth).toString(16));
  for (const id of wrong) assert.equal(await statusOf(id, 'udp'), 'REFUSED');
  assert.equal(await statusOf(other.id, 'udp'), 'REFUSED');
  assert.equal(await statusOf(fresh.id, 'udp'), 'NOERROR');
});
