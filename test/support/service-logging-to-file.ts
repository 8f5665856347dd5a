import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVICE_DOMAIN, DNS_HOST, type DnsService, until } from './dns.ts';
import { bin } from './weir.ts';

type Ending = { after(end: () => unknown): void };
type Given = { readonly data: string; readonly logFile: string; readonly flags?: readonly string[] };

/** `weir serve` with DNS on free ports whose standard output is a file, as under `weir serve > file`. */
export async function startLoggingToFile(
  t: Ending,
  upstream: string,
  { data, logFile, flags = [] }: Given,
): Promise<DnsService & { exitCode(): number | null }> {
  const out = openSync(logFile, 'a');
  const places = ['http', 'admin', 'dns', 'dot', 'doh'].flatMap((name) => [`--${name}`, '127.0.0.1:0']);
  const words = ['serve', '--data', data, '--log', 'json', ...places, '--upstream', upstream, '--source-port', '1'];
  const child = spawn(`${bin}weir`, [...words, '--dns-host', DNS_HOST, '--device-domain', DEVICE_DOMAIN, ...flags], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', out, 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ((await ended) as [number | null])[0];
  };
  t.after(() => stop('SIGKILL'));
  const readLog = (): Record<string, unknown>[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  const place = await until('the service listens', () => readLog().find(({ msg }) => msg === 'listening'));
  const portOf = (on: string): number => (place[on] as { port: number }).port;
  return {
    url: String(place['url']),
    port: Number(place['port']),
    adminPort: Number(place['adminPort']),
    data,
    pid: child.pid!,
    get log() {
      return readLog();
    },
    stop,
    exitCode: () => child.exitCode,
    ports: { dns: portOf('dns'), dot: portOf('dot'), doh: portOf('doh') },
    certificate: join(data, 'self-signed.crt'),
    deviceDomain: DEVICE_DOMAIN,
  };
}
