import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { EVENT_LOOP_INTERVAL_MS } from '../src/app/metrics.ts';
import { type Bar, showBars } from './bars.ts';
import { makeCorpus } from './corpus.ts';
import { type Server, type Servers, startServers } from './servers.ts';

const CONNECTIONS = 50;
const MIN_SHARE_OF_CONSTANT = 0.6;
const MAX_LAG_SECONDS = 0.02;
const COMPILATIONS = 10;
const RULES = 500_000;

const small = {
  name: 'Small',
  sources: [{ source: Array.from({ length: 20 }, (_, at) => `||ads${at}.example.com^`).join('\n') }],
  transformations: ['Deduplicate', 'Compress', 'Validate', 'RemoveEmptyLines'],
};

/** Compile service: request rate with small lists, and event-loop lag while large ones are compiled. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { seconds: { type: 'string', default: '5' } } });
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const servers = startServers();
  try {
    const service = await servers.service(join(folder, 'data'), [...patience, '--allow-source-address', '127.0.0.1']);
    const bars = [...(await smallLists(service, servers, Number(values.seconds))), await lagUnderLoad(service, folder)];
    showBars(bars);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true });
  }
}

const patience = ['--requests-per-minute', '--cpu-seconds-per-minute'].flatMap((flag) => [flag, '1000000']);

async function smallLists({ url }: Server, servers: Servers, seconds: number): Promise<Bar[]> {
  const body = JSON.stringify({ configuration: small });
  const post = (): Promise<Response> =>
    fetch(`${url}/compile`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await post();
  const answer = await (await post()).text();
  const constant = await servers.constant('/compile', answer);

  // Alternating, so that disturbances hit both.
  const rounds = 3;
  const cached: autocannon.Result[] = [];
  const constants: autocannon.Result[] = [];
  for (let round = 0; round < rounds; round++) {
    constants.push(await load(`${constant.url}/compile`, body, seconds));
    cached.push(await load(`${url}/compile`, body, seconds));
  }
  const rate = (results: readonly autocannon.Result[]): number =>
    Math.max(...results.map(({ requests }) => requests.average));
  const share = rate(cached) / rate(constants);

  let number = 0;
  const uncached = await load(`${url}/compile`, body, seconds, (request) => ({
    ...request,
    body: JSON.stringify({ configuration: { ...small, name: `Small ${number++}` } }),
  }));
  for (const [name, result] of [
    ['cached', cached.at(-1)!],
    ['uncached', uncached],
    ['constant', constants.at(-1)!],
  ] as const) {
    const { latency, requests, non2xx } = result;
    console.log(
      `${name}: ${requests.average.toFixed(0)} requests/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${non2xx} failed`,
    );
  }
  return [
    {
      what: 'cached answers, as a share of a constant',
      figure: share.toFixed(2),
      met: share >= MIN_SHARE_OF_CONSTANT && uncached.non2xx === 0,
    },
  ];
}

type SetUp = (request: autocannon.Request) => autocannon.Request;

const load = (url: string, body: string, duration: number, setupRequest?: SetUp): Promise<autocannon.Result> =>
  autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        ...(setupRequest && { setupRequest }),
      },
    ],
  });

/** Promise P12. Event-loop lag, from the metrics of the service, while large lists are compiled. */
async function lagUnderLoad({ url, adminUrl }: Server, folder: string): Promise<Bar> {
  const { files } = await makeCorpus(folder, RULES, undefined);
  const lists = files.map((file) => readFileSync(file));
  const origin = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(lists[Number(request.url!.slice(1))]);
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const { port } = origin.address() as AddressInfo;
  const sources = files.map((_, at) => ({ source: `http://127.0.0.1:${port}/${at}` }));

  await lagOf(adminUrl);
  const startedAt = performance.now();
  const compilations = Array.from({ length: COMPILATIONS }, async (_, at) => {
    const configuration = { ...small, name: `Large ${at}`, sources };
    const response = await fetch(`${url}/compile`, {
      method: 'POST',
      body: JSON.stringify({ configuration }),
      headers: { 'content-type': 'application/json' },
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.arrayBuffer()).byteLength;
  });
  const probing = probe(url);
  const sizes = await Promise.all(compilations);
  const lag = await lagOf(adminUrl);
  const latencies = await probing.stop();
  origin.close();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${COMPILATIONS} compilations of ${RULES} rules: ${seconds.toFixed(1)} s, ${(sizes[0]! / 1e6).toFixed(1)} MB each; meanwhile GET /health/live p50 ${latencies.p50.toFixed(1)} ms, p99 ${latencies.p99.toFixed(1)} ms`,
  );
  return {
    what: `lag of the event loop, p99, during ${COMPILATIONS} compilations of ${RULES} rules`,
    figure: `${(lag * 1000).toFixed(1)} ms`,
    met: lag <= MAX_LAG_SECONDS,
  };
}

/** Values since the last call. */
async function lagOf(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const reported = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]);
  return Math.max(0, reported - EVENT_LOOP_INTERVAL_MS / 1000);
}

function probe(url: string) {
  const latencies: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await (await fetch(`${url}/health/live`)).arrayBuffer();
      latencies.push(performance.now() - startedAt);
      await setTimeout(5);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await probing;
      latencies.sort((a, b) => a - b);
      const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)]!;
      return { p50: at(0.5), p99: at(0.99) };
    },
  };
}
