import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns } from './support/dns.ts';
import { type Asks, addressIn, overHttps, overTls, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { missing, startProgram } from './support/programs.ts';

// A confirmed change applies to the next query, on every thread and under load.

const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('changing');

/** Load of other clients and of the device itself, with blocked and cached names. */
async function load(t: Parameters<typeof temporaryFolder>[0]): Promise<void> {
  const other = await home.device('busy');
  const names = Array.from({ length: 200 }, (_, number) => `busy-${number}.example.com A`);
  const folder = await temporaryFolder(t, { queries: [...names, 'changing.example.com A'].join('\n') });
  for (const device of [id, other.id]) {
    const option = `65074:${Buffer.from(device).toString('hex')}`;
    const where = ['-s', '127.0.0.1', '-p', `${home.service.ports.dns}`, '-d', join(folder, 'queries')];
    startProgram(t, 'dnsperf', [...where, '-E', option, '-l', '300', '-Q', '1500', '-c', '4', '-q', '50']);
  }
}

const rules = ['||busy-1*', '||changing.example.com^'];

async function toggle(times: number, ask: Asks): Promise<number> {
  let obeyed = 0;
  for (let time = 0; time < times; time++) {
    const isBlocked = time % 2 === 0;
    await home.set({ user_rules_settings: { enabled: true, rules: isBlocked ? rules : rules.slice(0, 1) } });
    const address = addressIn(await ask('changing.example.com'));
    obeyed += address === (isBlocked ? '0.0.0.0' : HERE) ? 1 : 0;
  }
  return obeyed;
}

const CHANGES = Number(process.env['WEIR_CHANGES'] ?? 300);
const ways = { UDP: [CHANGES, overUdp], TLS: [50, overTls], HTTPS: [50, overHttps] } as const;

for (const [title, [times, over]] of Object.entries(ways))
  test(`${times} changes of ${times} are obeyed by the next query over ${title}, under load`, {
    skip: missing('dnsperf'),
  }, async (t) => {
    await load(t);
    const obeyed = await toggle(times, await over(t, home.service, id));
    t.diagnostic(`P9 settings changes: ${obeyed} of ${times} in effect for the next query over ${title}, under load`);
    assert.equal(obeyed, times);
    // Checks that the load was effective.
    await home.logged('busy-', 500);
  });

test('a query repeated after a change of settings is answered by the new settings', async (t) => {
  const asks = await Promise.all([overUdp, overTls, overHttps].map((over) => over(t, home.service, id)));
  const askAll = async (): Promise<(string | undefined)[]> =>
    Promise.all(asks.map(async (ask) => addressIn(await ask('switched.example.com'))));
  const protect = (protection_enabled: boolean) =>
    home.ask('PUT', `/oapi/v1/devices/${id}/settings`, { protection_enabled });
  await home.set({ user_rules_settings: { enabled: true, rules: ['||switched.example.com^'] } });
  for (let time = 0; time < 20; time++) {
    await protect(true);
    assert.deepEqual(await askAll(), ['0.0.0.0', '0.0.0.0', '0.0.0.0']);
    await protect(false);
    assert.deepEqual(await askAll(), [HERE, HERE, HERE]);
  }
});
