import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { answers, freePort, type Programs } from './dns-asking.ts';
import { fillStore } from './households.ts';

const weir = fileURLToPath(new URL('../bin/weir', import.meta.url));

export type WeirOptions = {
  readonly programs: Programs;
  /** Data folder and lists. */
  readonly folder: string;
  readonly upstreamPort: number;
  readonly upstreamScheme?: 'tls';
  /** Port of a second upstream, which never answers. */
  readonly silentUpstreamPort?: number;
  readonly blocked: readonly string[];
  /** A name that the upstream resolves. */
  readonly knownName: string;
  readonly flags?: readonly string[];
  readonly udpThreads?: number;
  readonly processors?: string;
};

/** Starts `weir serve` with the settings of one DNS server for unknown clients and without a query log. */
export async function startWeir(options: WeirOptions) {
  const { programs, folder, blocked, udpThreads = 1, processors = '0' } = options;
  const list = join(folder, 'blocked-rules.txt');
  writeFileSync(list, `${blocked.map((name) => `||${name}^`).join('\n')}\n`);
  const data = join(folder, 'data');
  const [household] = await fillStore(data, 1);
  const profile = household!.devices[0]!.profile;
  const ports = { dns: await freePort(), dot: await freePort(), doh: await freePort() };
  const [http, admin] = [await freePort(), await freePort()];
  const settings = {
    data,
    http: `127.0.0.1:${http}`,
    admin: `127.0.0.1:${admin}`,
    dns: `127.0.0.1:${ports.dns}`,
    dot: `127.0.0.1:${ports.dot}`,
    doh: `127.0.0.1:${ports.doh}`,
    upstream: `${options.upstreamScheme ?? 'udp'}://127.0.0.1:${options.upstreamPort}`,
    'unknown-clients': profile,
    'dangerous-list': list,
    'udp-threads': udpThreads,
  };
  const silent =
    options.silentUpstreamPort === undefined ? [] : ['--upstream', `127.0.0.1:${options.silentUpstreamPort}`];
  const flags = [
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ...silent,
    ...(options.flags ?? []),
  ];
  const child = programs.start([weir, 'serve', ...flags], processors);
  if (!(await answers(ports.dns, options.knownName, '192.0.2.77'))) throw new Error('the service does not answer');

  await untilHttp(http);
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${http}${path}`, {
      method,
      headers: { authorization: household!.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const change = async (path: string, body: object): Promise<void> => void (await request('PUT', path, body));
  const keepLog = (isKept: boolean): Promise<void> => change('/api/v1/account', { log_enabled: isKept });
  const figure = async (name: string, label = ''): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    const lines = [...text.matchAll(new RegExp(`^${name}(?:\\{.*${label}.*\\})? ([\\d.e+]+)$`, 'gm'))];
    return lines.reduce((sum, line) => sum + Number(line[1]), 0);
  };

  await change(`/oapi/v1/dns_servers/${profile}/settings`, {
    safebrowsing_settings: { enabled: true, block_dangerous_domains: true },
    filter_lists_settings: { enabled: false },
  });
  await keepLog(false);
  if (!(await answers(ports.dns, blocked[0]!, '0.0.0.0'))) throw new Error('the list is not in use');
  return {
    pid: child.pid!,
    data,
    ports,
    profile,
    origin: `http://127.0.0.1:${http}`,
    /** API key of the account. */
    key: household!.key,
    keepLog,
    /** Sends a request with the key of the account; throws unless it succeeds. */
    request,
    /** Value of a Prometheus metric: the sum over all label sets, or over those that contain `label`. */
    figure,
    /** Resolves when every record is stored. */
    async settled(): Promise<void> {
      // Reading the metric drains the rings.
      while ((await figure('weir_dns_records_waiting')) > 0) await sleep(300);
    },
    end: () => programs.end(child),
  };
}

/** Waits for HTTP, because DNS is answered earlier. */
async function untilHttp(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(50);
  }
}
