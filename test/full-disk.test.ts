import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { canMount, mountSmallDisk, startFullDisk } from './support/attacks/full-disk.ts';
import { type Home, makeHome, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { startLoggingToFile } from './support/service-logging-to-file.ts';
import { startSteadyClient } from './support/steady-client.ts';

const CACHED = 'cached.example.com';
const QUERIES = 100;

test('a full disk with the log file on it stops neither DNS nor the API', {
  skip: !canMount() && 'file systems cannot be mounted here',
}, async (t) => {
  const world = await startWorld(t);
  let unmount = (): void => {};
  t.after(() => unmount());
  const disk = await temporaryFolder(t);
  ({ unmount } = mountSmallDisk(disk, 24));
  const data = join(disk, 'data');
  await mkdir(data, { mode: 0o700 });
  const service = await startLoggingToFile(t, world.address, { data, logFile: join(disk, 'weir.log') });
  const home = await makeHome(service);
  const { id: device } = await home.device('laptop');
  assert.ok(await home.dig(device, 'udp', CACHED, 'A'));
  await home.logged(CACHED);

  const full = await startFullDisk({ folder: disk });
  const client = startSteadyClient({ port: service.ports.dns, device, domain: CACHED }, 20, 500);
  const statuses = await changesUntilRefused(home, full.refill);
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 503),
    [],
  );
  // The threads of the resolver log, too.
  world.stop();
  await home.dig(device, 'udp', 'new.example.com', 'A');
  for (let i = 0; i < 6; i++) {
    full.refill();
    assert.equal((await change(home, 100 + i)).status, 503);
  }
  await until('queries during the fault', () => (client.sent() >= QUERIES ? true : undefined));
  full.refill();
  const enough = client.sent() + QUERIES / 4;
  await until('queries on the full disk', () => (client.sent() >= enough ? true : undefined));
  assert.equal((await readLog(home)).status, 200, 'the query log can be read');
  assert.equal(service.exitCode(), null, 'the process runs');
  const { sent, answered } = await client.stop();
  t.diagnostic(`DNS answered while the disk was full: ${answered} of ${sent}`);
  assert.ok(answered >= sent * 0.99, `${answered} of ${sent}`);
  const failed = await until(
    'a failed log line',
    async () => (await metric(home, 'weir_log_write_errors_total')) || undefined,
  );

  await full.stop();
  await until('room for changes', async () => ((await change(home, 30)).status === 200 ? true : undefined));
  const stored = await home.logged(CACHED, sent + 1);
  t.diagnostic(`records stored after the fault: ${stored.length} of ${sent + 1}; log writes failed: ${failed}`);
  assert.equal(stored.length, sent + 1);
  await until('the log says what it could not write', () =>
    service.log.find(({ msg }) => String(msg).includes('log lines could not be written')),
  );
});

async function changesUntilRefused(home: Home, refill: () => void): Promise<number[]> {
  const statuses: number[] = [];
  await until('a refused change', async () => {
    refill();
    statuses.push((await change(home, 10 + statuses.length)).status);
    return statuses.includes(503) ? true : undefined;
  });
  return statuses;
}

const change = ({ service, server, authorization }: Home, ttl: number): Promise<Response> =>
  fetch(`${service.url}/oapi/v1/dns_servers/${server}/settings`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ block_ttl_seconds: ttl }),
  });

const readLog = ({ service, authorization }: Home): Promise<Response> =>
  fetch(`${service.url}/oapi/v1/query_log?time_from_millis=0&time_to_millis=${Date.now() + 60_000}&limit=10`, {
    headers: { authorization },
  });

async function metric({ service }: Home, wanted: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${wanted} `))
      ?.split(' ')[1] ?? 0,
  );
}
