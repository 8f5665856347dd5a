import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';

const KILLS = Number(process.env['WEIR_LOG_KILLS'] ?? 3);
const QUERIES = 300;
const PAUSE_MS = 3;

async function storedOf(home: Home, device: string): Promise<number> {
  const range = `time_from_millis=0&time_to_millis=${Date.now() + 3_600_000}`;
  const { stats } = await home.ask('GET', `/oapi/v1/stats/devices?${range}`);
  const found = (stats as { device_id: string; value: { queries: number } }[]).find((row) => row.device_id === device);
  return found?.value.queries ?? 0;
}

/** Sum of a counter over its labels, as the admin listener reports it. */
async function counterOf({ service }: Home, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  return [...text.matchAll(new RegExp(`^weir_dns_records_${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, line) => sum + Number(line[1]),
    0,
  );
}

test('SIGKILL loses no query that was stored, and the counters account for every answer', async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  let home = await makeHome(await startDns(t, world.address, [], { data }));
  const { id } = await home.device('steady');
  let answered = 0;
  let stored = 0;
  const lost: number[] = [];
  for (let round = 0; round < KILLS; round++) {
    const ends: (() => unknown)[] = [];
    const ask = await overUdp({ after: (end) => ends.push(end) }, home.service, id);
    for (let number = 0; number < QUERIES; number++) {
      await ask(`r${round}n${number}.example.com`);
      await sleep(PAUSE_MS);
    }
    answered += QUERIES;
    // Rows that the API reports are on disk: the kill must not take them back.
    const before = await storedOf(home, id);
    assert.ok(before >= stored, `${before} rows, and ${stored} before`);
    await home.service.stop('SIGKILL');
    for (const end of ends) end();
    home = await homeOf(await startDns(t, world.address, [], { data }), home.authorization);
    stored = await storedOf(home, id);
    assert.ok(stored >= before, `${before} rows were stored, ${stored} are left`);
    lost.push(answered - stored);
    answered = stored;
  }
  t.diagnostic(
    `P7 SIGKILL: ${lost.join(', ')} of ${QUERIES} answers lost at about ${Math.round(1000 / PAUSE_MS)} queries/s, 0 of those stored before`,
  );

  const ask = await overUdp(t, home.service, id);
  for (let number = 0; number < QUERIES; number++) await ask(`last${number}.example.com`);
  const counters = await until('every record to be stored', async () => {
    const [written, kept, dropped] = await Promise.all(
      ['written_total', 'stored_total', 'dropped_total'].map((name) => counterOf(home, name)),
    );
    return kept! + dropped! >= QUERIES ? { written, kept, dropped } : undefined;
  });
  t.diagnostic(
    `P7 counters: ${QUERIES} answered = ${counters.kept} stored + ${counters.dropped} dropped (${counters.written} written)`,
  );
  assert.equal(counters.kept! + counters.dropped!, QUERIES);
  assert.equal(counters.written, QUERIES);
});
