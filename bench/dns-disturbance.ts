// Disturbs a running service until its standard input ends: reads statistics, replaces a large list, compiles another one. Then prints the
// number of each. Runs with the lowest priority and parses no responses, so that it does not slow down dnsperf.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Disturbed = {
  readonly origin: string;
  readonly key: string;
  readonly profile: string;
  readonly listRules: number;
};

const COMPILED_RULES = 500_000;
const STATISTICS_MS = 200;
const VERSIONS = 3;
// Minimum interval, because a recently checked list is not checked again.
const REFRESH_MS = 5_000;

const { origin, key, profile, listRules } = JSON.parse(process.argv[2]!) as Disturbed;
let isOver = false;
const done = { statistics: 0, lists: 0, compilations: 0 };

async function send(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function drained(request: Promise<Response>): Promise<void> {
  for await (const _ of (await request).body ?? []);
}

async function repeat(what: keyof typeof done, pauseMs: number, work: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await work();
    done[what] += 1;
    await sleep(pauseMs);
  }
}

/** Lists whose text is different in every download. */
async function serveLists(): Promise<string> {
  const versions = (rules: number): readonly Buffer[] =>
    Array.from({ length: VERSIONS }, (_, version) =>
      Buffer.from(Array.from({ length: rules }, (_, i) => `||v${version}n${i.toString(36)}.example.org^`).join('\n')),
    );
  const [lists, compiled] = [versions(listRules), versions(COMPILED_RULES)];
  let served = 0;
  const server = createServer((request, response) => {
    served += 1;
    response.end((request.url?.startsWith('/compiled') ? compiled : lists)[served % VERSIONS]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const lists = await serveLists();
const list = (await (await send('POST', '/api/v1/custom_lists', { name: 'Large', url: `${lists}/list` })).json()) as {
  readonly id: string;
};
await drained(send('PUT', `/api/v1/dns_servers/${profile}/custom_lists`, { custom_lists: [{ id: list.id }] }));
process.stdin.resume().once('end', () => {
  isOver = true;
});
console.log('started');
const now = (): number => Date.now();
await Promise.all([
  repeat('statistics', STATISTICS_MS, () =>
    drained(send('GET', `/oapi/v1/stats/time?time_from_millis=${now() - 86_400_000}&time_to_millis=${now()}`)),
  ),
  repeat('lists', REFRESH_MS, () => drained(send('POST', `/api/v1/custom_lists/${list.id}/refresh`))),
  repeat('compilations', 0, () => {
    // Different each time, because the service caches results.
    const name = `n${done.compilations}`;
    const sources = [{ source: `${lists}/compiled?${name}` }];
    const transformations = ['Validate', 'Compress', 'Deduplicate', 'InsertFinalNewLine'];
    return drained(send('POST', '/compile', { configuration: { name, sources, transformations } }));
  }),
]);
console.log(JSON.stringify(done));
process.exit();
