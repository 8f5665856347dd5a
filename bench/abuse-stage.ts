import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { answers, freePort } from './dns-asking.ts';

const weir = fileURLToPath(new URL('../bin/weir', import.meta.url));
const DEVICE_DOMAIN = 'd.dns.example.net';
const OPERATOR = 'operator@example.org';
const START_MS = 60_000;
const API_MS = 30_000;

type Tenant = {
  readonly email: string;
  readonly password: string;
  readonly authorization: string;
  /** The `Authorization` of its owner, signed in. */
  readonly session: string;
  /** The id of its DNS server. */
  readonly server: string;
  readonly device: string;
};

/** One server with two tenants, its upstream and the origin of its filter lists. */
export type Stage = {
  readonly url: string;
  readonly adminUrl: string;
  readonly httpPort: number;
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number };
  readonly deviceDomain: string;
  readonly data: string;
  readonly pid: number;
  /** The address in the setting `operator`; no account has it. */
  readonly operatorEmail: string;
  readonly honest: Tenant;
  readonly attacker: Tenant;
  /** Serves `/N` as a list of N rules. */
  readonly origin: string;
  readonly exitCode: () => number | null;
  readonly stop: () => Promise<void>;
};

export type StageOptions = {
  readonly folder: string;
  /** Standard output of the server; discarded by default. */
  readonly logFile?: string;
};

export async function openStage({ folder, logFile }: StageOptions): Promise<Stage> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown): void => void ends.unshift(end) };
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const emails = ['honest', 'attacker'].map((who) => `${who}@example.org`);
  const accounts: Account[] = [];
  for (const email of emails) accounts.push(await createAccount(data, email));
  const upstream = await startUpstream(t, folder);
  const origin = await startOrigin(t);
  const ports = { dns: await freePort(), dot: await freePort(), doh: await freePort() };
  const [httpPort, adminPort] = [await freePort(), await freePort()];
  const places = { ...ports, http: httpPort, admin: adminPort };
  const child = spawn(
    weir,
    [
      'serve',
      ...Object.entries(places).flatMap(([name, port]) => [`--${name}`, `127.0.0.1:${port}`]),
      ...Object.entries({
        data,
        log: 'json',
        upstream,
        'device-domain': DEVICE_DOMAIN,
        operator: OPERATOR,
        'allow-source-address': '127.0.0.0/8',
        'link-private-address': 'allow',
        'compile-clients': '0.0.0.0/0',
        // The networks of a sign-in flood come from X-Forwarded-For of a proxy.
        'trusted-proxy': '127.0.0.1',
      }).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdio: ['ignore', logFile === undefined ? 'ignore' : openSync(logFile, 'a'), 'ignore'] },
  );
  const url = `http://127.0.0.1:${httpPort}`;
  const stop = async (): Promise<void> => {
    await endChild(child);
    for (const end of ends) await end();
  };
  try {
    await untilReady(url, child);
    const [honest, attacker] = await Promise.all(accounts.map((account) => furnish(url, account)));
    return {
      url,
      adminUrl: `http://127.0.0.1:${adminPort}`,
      httpPort,
      ports,
      deviceDomain: DEVICE_DOMAIN,
      data,
      pid: child.pid!,
      operatorEmail: OPERATOR,
      honest: honest!,
      attacker: attacker!,
      origin,
      exitCode: () => child.exitCode,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Account = { readonly email: string; readonly password: string; readonly authorization: string };

async function createAccount(data: string, email: string): Promise<Account> {
  const password = `${email} battery staple`;
  const run = async (words: readonly string[], input = ''): Promise<string> => {
    const child = spawn(weir, ['account', ...words, '--data', data, '--email', email, '--json']);
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`weir account ${words[0]}: ${stderr}`);
    return stdout;
  };
  await run(['create', '--password-stdin'], `${password}\n`);
  const { key } = JSON.parse(await run(['key', '--name', 'bench'])) as { key: string };
  return { email, password, authorization: `ApiKey ${key}` };
}

/** A device and no filter lists, so that the bench downloads nothing from other servers. */
async function furnish(url: string, account: Account): Promise<Tenant> {
  const ask = (method: string, path: string, json?: object) => callApi(url, account.authorization, method, path, json);
  const [{ id: server }] = await ask('GET', '/oapi/v1/dns_servers');
  await ask('PUT', `/oapi/v1/dns_servers/${server}/settings`, {
    filter_lists_settings: { enabled: false, filter_list: [] },
  });
  const wanted = { name: 'bench', device_type: 'LINUX', dns_server_id: server };
  const { id: device } = await ask('POST', '/oapi/v1/devices', wanted);
  const { email, password } = account;
  const { access_token: token } = await ask('POST', '/api/v1/session', { email, password });
  return { ...account, session: `Bearer ${token}`, server, device };
}

export async function callApi(
  url: string,
  authorization: string,
  method: string,
  path: string,
  json?: object,
): Promise<ReturnType<JSON['parse']>> {
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(API_MS),
    headers: { authorization, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const answered = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answered.slice(0, 300)}`);
  return answered === '' ? undefined : JSON.parse(answered);
}

async function startOrigin(t: { after(end: () => unknown): void }): Promise<string> {
  const server = createServer((request, response) => {
    const rules = Array.from({ length: Number(request.url!.slice(1)) || 1 }, (_, at) => `||listed${at}.example.com^`);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`${rules.join('\n')}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Unbound, which answers every name with one address, so that the upstream is not the bottleneck. */
async function startUpstream(t: { after(end: () => unknown): void }, folder: string): Promise<string> {
  const port = await freePort();
  const conf = join(folder, 'upstream.conf');
  writeFileSync(
    conf,
    `server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  access-control: 127.0.0.0/8 allow
  local-zone: "." redirect
  local-data: ". 300 A 192.0.2.77"
remote-control:
  control-enable: no
`,
  );
  const child = spawn('unbound', ['-d', '-c', conf], { stdio: 'ignore', env: { PATH: '/usr/sbin:/usr/bin:/bin' } });
  t.after(() => endChild(child));
  if (!(await answers(port, 'example.com', '192.0.2.77'))) throw new Error('unbound, the upstream, does not answer');
  return `127.0.0.1:${port}`;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('the server does not start');
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** User, effective capabilities and NoNewPrivs of a process (proc_pid_status(5)). */
export function privilegesOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? 'unknown';
  return `uid ${field('Uid')}, CapEff ${field('CapEff')}, NoNewPrivs ${field('NoNewPrivs')}`;
}
