import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Digging, type Dug, digAs, type Over, tryDig } from './dig.ts';
import { type Given, type Service, startService } from './service.ts';

type Ending = { after(end: () => unknown): void };

export const DNS_HOST = 'dns.example.net';
export const DEVICE_DOMAIN = 'd.dns.example.net';

export type DnsService = Service & Digging;

/**
 * `weir serve` with all DNS listeners on free ports of 127.0.0.1. It downloads nothing unless the flags configure it; a settings file may
 * set the upstream.
 */
export async function startDns(
  t: Ending,
  upstream: string | undefined,
  flags: readonly string[] = [],
  given: Given = {},
): Promise<DnsService> {
  const listening = ['--dns', '--dot', '--doh'].filter((flag) => !flags.includes(flag));
  const service = await startService(
    t,
    [
      ...listening.flatMap((flag) => [flag, '127.0.0.1:0']),
      ...(upstream === undefined ? [] : ['--upstream', upstream]),
      ...(flags.includes('--dns-host') ? [] : ['--dns-host', DNS_HOST, '--device-domain', DEVICE_DOMAIN]),
      '--source-port',
      '1',
      ...flags,
    ],
    given,
  );
  const listens = service.log.find(({ msg }) => msg === 'listening')!;
  const portOf = (on: string): number => (listens[on] as { port: number } | undefined)?.port ?? 0;
  return {
    ...service,
    ports: { dns: portOf('dns'), dot: portOf('dot'), doh: portOf('doh') },
    certificate: join(service.data, 'self-signed.crt'),
    deviceDomain: DEVICE_DOMAIN,
  };
}

export type LogItem = {
  readonly latency_millis?: number;
  readonly domain: string;
  readonly device_id?: string;
  readonly dns_server_id: string;
  readonly dns_proto_type: string;
  readonly dns_request_type: string;
  readonly dns_response_type: string;
  readonly dnssec: boolean;
  readonly filtering_info: {
    readonly filtering_status: string;
    readonly filtering_type?: string;
    readonly filter_id?: string;
    readonly filter_rule?: string;
    readonly blocked_service_id?: string;
  };
};

export type Device = {
  readonly id: string;
  readonly name: string;
  readonly device_type: string;
  readonly dns_addresses: { readonly dns_over_https_with_auth_url: string };
};

export type Home = {
  readonly service: DnsService;
  /** API key of the owner. */
  readonly authorization: string;
  /** The id of its first DNS server. */
  readonly server: string;
  /** Sends a request to the management API; any status other than 2xx fails the test. */
  readonly ask: (method: string, path: string, json?: unknown) => Promise<ReturnType<JSON['parse']>>;
  /** Changes settings of the first DNS server. */
  readonly set: (settings: object) => Promise<void>;
  readonly device: (name: string, type?: string) => Promise<Device>;
  /** Sends a query with dig as this device. */
  readonly dig: (device: string | undefined, over: Over, ...words: string[]) => Promise<Dug | undefined>;
  /** Sends a query that must be answered. */
  readonly dug: (device: string | undefined, over: Over, ...words: string[]) => Promise<Dug>;
  /** The log rows of these domains; waits until there are at least `rows`. */
  readonly logged: (search: string, rows?: number) => Promise<readonly LogItem[]>;
};

export const OWNER = 'home@example.org';
export const PASSWORD = 'correct horse battery staple';

/** Creates the first account of a service with the printed set-up link. It has no filter lists. */
export async function makeHome(service: DnsService): Promise<Home> {
  const token = await until('the link to set it up', () => {
    const link = service.log.find((entry) => entry['setUpUrl'] !== undefined)?.['setUpUrl'];
    return (link as string | undefined)?.split('#')[1];
  });
  const made = await call(service, 'POST', '/api/v1/set_up', { token, email: OWNER, password: PASSWORD }, {});
  const home = await homeOf(service, `Bearer ${made.access_token}`);
  await home.set({ filter_lists_settings: { enabled: false, filter_list: [] } });
  return home;
}

/** Requests and DNS queries of an account's owner. */
export async function homeOf(service: DnsService, authorization: string): Promise<Home> {
  const ask: Home['ask'] = (method, path, json) => call(service, method, path, json, { authorization });
  const [{ id: server }] = await ask('GET', '/oapi/v1/dns_servers');
  const set = (settings: object): Promise<void> => ask('PUT', `/oapi/v1/dns_servers/${server}/settings`, settings);
  const dig: Home['dig'] = (device, over, ...words) => digAs(service, device, over, words);
  return {
    service,
    authorization,
    server,
    ask,
    set,
    device: (name, type = 'LINUX') =>
      ask('POST', '/oapi/v1/devices', { name, device_type: type, dns_server_id: server }),
    dig,
    async dug(device, over, ...words) {
      const { dug, text } = await tryDig(service, device, over, words);
      assert.ok(dug, `no answer over ${over}: ${text}`);
      return dug;
    },
    logged: (search, rows = 1) =>
      until(`${rows} rows of ${search} in the log`, async () => {
        const items = await logOf(ask, search);
        return items.length >= rows ? items : undefined;
      }),
  };
}

async function logOf(ask: Home['ask'], search: string): Promise<readonly LogItem[]> {
  const range = `time_from_millis=0&time_to_millis=${Date.now() + 60_000}`;
  const { items } = await ask('GET', `/oapi/v1/query_log?${range}&limit=1000&search=${search}`);
  return items as LogItem[];
}

async function call(
  service: Pick<Service, 'url'>,
  method: string,
  path: string,
  json: unknown,
  headers: Readonly<Record<string, string>>,
) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const answered = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${answered}`);
  return answered === '' ? undefined : JSON.parse(answered);
}

// Long, for busy machines; only a failing test waits that long.
const PATIENCE_MS = 60_000;

/** Polls until there is a result. */
export async function until<T>(
  what: string,
  look: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(30);
  }
  return assert.fail(`waited in vain for ${what}`);
}
