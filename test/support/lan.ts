import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { env, missing } from './programs.ts';

type Ending = { after(end: () => unknown): void };

/** A network of namespaces: a router with a bridge, this program, and clients with their own MAC addresses. */
export const lan = {
  router: '192.168.77.1',
  weir: '192.168.77.2',
  clients: {
    laptop: { mac: 'b8:27:eb:00:00:11', address: '192.168.77.11', ipv6: 'fd77::11' },
    phone: { mac: 'da:a1:19:00:00:12', address: '192.168.77.12', ipv6: 'fd77::12' },
    tv: { mac: '00:03:93:00:00:13', address: '192.168.77.13', ipv6: 'fd77::13' },
  },
} as const;

export type LanClient = keyof typeof lan.clients;
const clientNames = Object.keys(lan.clients) as LanClient[];

const INSIDE = 'WEIR_TEST_LAN';

/** The prefix of the namespaces in a process that runs in the LAN; undefined outside. */
export const lanPrefix = (): string | undefined => process.env[INSIDE];

const ip = (...words: readonly string[]): void =>
  void execFileSync('ip', words, { env, stdio: ['ignore', 'ignore', 'pipe'] });

/** For the option `skip` of a test. */
export function withoutLan(): string | false {
  const gone = missing('ip', 'dnsmasq', 'dig', 'kdig');
  if (gone !== false) return gone;
  const probe = `weir-probe-${process.pid}`;
  const isPossible = process.getuid?.() === 0 && spawnSync('ip', ['netns', 'add', probe], { env }).status === 0;
  if (isPossible) ip('netns', 'del', probe);
  return !isPossible && 'network namespaces are not permitted here';
}

/** Runs a test file again in the namespace of Weir; its output and exit code. */
export async function runInLan(
  t: Ending,
  file: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const prefix = `weir-${process.pid}`;
  const names = ['router', 'weir', ...clientNames].map((name) => `${prefix}-${name}`);
  t.after(() => {
    for (const name of names) spawnSync('ip', ['netns', 'del', name], { env });
  });
  for (const name of names) {
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
  const router = `${prefix}-router`;
  ip('-n', router, 'link', 'add', 'br0', 'type', 'bridge');
  ip('-n', router, 'addr', 'add', `${lan.router}/24`, 'dev', 'br0');
  ip('-n', router, 'link', 'set', 'br0', 'up');
  plug(prefix, 'weir', { mac: '00:16:3e:00:00:02', address: lan.weir, ipv6: 'fd77::2' });
  for (const name of clientNames) plug(prefix, name, lan.clients[name]);

  const child = spawn('ip', ['netns', 'exec', `${prefix}-weir`, process.execPath, '--test', file], {
    // Without the variables of this test run, the inner one reports for itself.
    env: { ...env, ...(process.env['CI'] && { CI: process.env['CI'] }), [INSIDE]: prefix },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, output: stdout + stderr };
}

type Host = { readonly mac: string; readonly address: string; readonly ipv6: string };

/** Connects a namespace to the bridge of the router. */
function plug(prefix: string, name: string, { mac, address, ipv6 }: Host): void {
  const [router, host] = [`${prefix}-router`, `${prefix}-${name}`];
  ip('-n', router, 'link', 'add', `to-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host);
  ip('-n', router, 'link', 'set', `to-${name}`, 'master', 'br0', 'up');
  ip('-n', host, 'link', 'set', 'eth0', 'address', mac, 'up');
  ip('-n', host, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  // Without the time in which the kernel checks that the address is free.
  ip('-n', host, 'addr', 'add', `${ipv6}/64`, 'dev', 'eth0', 'nodad');
  ip('-n', host, 'route', 'add', 'default', 'via', lan.router);
}

/** The words that run a program as a host of the LAN. */
export const inHost = (host: LanClient | 'router', ...words: readonly string[]): readonly string[] => [
  'netns',
  'exec',
  `${lanPrefix()}-${host}`,
  ...words,
];

/** Gives a client another address. */
export function changeAddress(client: LanClient, from: string, to: string): void {
  const host = `${lanPrefix()}-${client}`;
  ip('-n', host, 'addr', 'del', `${from}/24`, 'dev', 'eth0');
  ip('-n', host, 'addr', 'add', `${to}/24`, 'dev', 'eth0');
  ip('-n', host, 'route', 'add', 'default', 'via', lan.router);
}
