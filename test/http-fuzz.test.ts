import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { type Dice, dice } from './support/resolver-mutations.ts';

const REQUESTS = Number(process.env['WEIR_HTTP_FUZZ'] ?? 2000);
const SEED = Number(process.env['WEIR_FUZZ_SEED'] ?? 20_261_116);
const AT_ONCE = 40;
const IDLE_MS = 200;
// A socket that sends nothing is closed by the header timeout of the server, which is shorter.
const SILENCE_MS = 60_000;

/** Fragments that have broken HTTP and JSON parsers. */
const fragments = [
  '\r\n',
  '\n',
  '\0',
  '%00',
  '%zz',
  '../',
  '//',
  ' ',
  ':',
  '"',
  '{',
  '[[[[[[[[',
  '__proto__',
  '\ud800',
  '1e999',
  '-1',
  '99999999999999999999',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade\r\n',
];

type Request = { readonly method: string; readonly path: string; readonly body: string };

const requestsTo = (server: string): readonly Request[] => {
  const get = (path: string): Request => ({ method: 'GET', path, body: '' });
  const send = (method: string, path: string, body: object): Request => ({ method, path, body: JSON.stringify(body) });
  const rules = { user_rules_settings: { enabled: true, rules: ['||ads.example^', '/^a.*b$/'] } };
  return [
    get('/oapi/v1/devices'),
    get('/oapi/v1/query_log?time_from_millis=0&time_to_millis=1&limit=10&search=a'),
    get('/oapi/v1/stats/domains?time_from_millis=0&time_to_millis=3600000'),
    get('/api/v1/session'),
    get('/'),
    send('POST', '/oapi/v1/devices', { name: 'a', device_type: 'LINUX', dns_server_id: server }),
    send('PUT', `/oapi/v1/dns_servers/${server}/settings`, rules),
    send('POST', '/api/v1/session', { email: 'a@example.org', password: 'b' }),
    send('POST', '/compile', { configuration: { name: 'l', sources: [{ source: '||a.example^' }] } }),
    send('POST', '/validate', { rules: ['||a.example^'] }),
  ];
};

function mutated(text: Uint8Array, roll: Dice): Buffer {
  let bytes = Buffer.from(text);
  for (let changes = 1 + roll(2); changes > 0; changes--) {
    const at = roll(bytes.length + 1);
    const kind = roll(4);
    if (kind === 0 && at < bytes.length) bytes[at] = roll(256);
    else if (kind === 1) bytes = bytes.subarray(0, at);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(roll(at + 1))]);
    else {
      const fragment = Buffer.from(fragments[roll(fragments.length)]!);
      bytes = Buffer.concat([bytes.subarray(0, at), fragment, bytes.subarray(at)]);
    }
  }
  return bytes;
}

/** Mutates the target, the body or the bytes of the whole request; only the last gets a wrong length. */
function mutatedRequest({ method, path, body }: Request, headers: string, roll: Dice): Buffer {
  const part = roll(3);
  const target = part === 0 ? mutated(Buffer.from(path), roll) : Buffer.from(path);
  const content = part === 1 && body !== '' ? mutated(Buffer.from(body), roll) : Buffer.from(body);
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n`;
  const request = Buffer.concat([
    Buffer.from(`${method} `),
    target,
    Buffer.from(` HTTP/1.1\r\n${headers}${length}Connection: close\r\n\r\n`),
    content,
  ]);
  return part === 2 ? mutated(request, roll) : request;
}

/** Sends one request on a separate connection; returns the status codes of the responses. */
async function statusesOf(port: number, bytes: Buffer): Promise<readonly number[]> {
  const socket = connect(port, '127.0.0.1');
  // A request that lacks its end is answered once the client stops sending.
  const idle = setTimeout(() => socket.end(), IDLE_MS);
  socket.on('error', () => {}).setTimeout(SILENCE_MS, () => socket.destroy(new Error('timeout')));
  socket.write(bytes);
  const answered = await text(socket).catch(() => '');
  clearTimeout(idle);
  return [...answered.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

test(`${REQUESTS} mutated HTTP requests (seed ${SEED}) cause no crash and no status 5xx`, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--requests-per-minute', '1000000']));
  const { service } = home;
  const roll = dice(SEED);
  const requests = requestsTo(home.server);
  const headers = `Host: ${new URL(service.url).host}\r\nAuthorization: ${home.authorization}\r\n`;
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  let left = REQUESTS;
  const sendAll = async (): Promise<void> => {
    while (left-- > 0) {
      const bytes = mutatedRequest(requests[roll(requests.length)]!, headers, roll);
      const statuses = await statusesOf(service.port, bytes);
      for (const status of statuses.length === 0 ? [0] : statuses) {
        const kind = status === 0 ? 'closed' : `${Math.floor(status / 100)}xx`;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (status >= 500) wrong.push(`${status} for ${JSON.stringify(bytes.toString('latin1'))}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  t.diagnostic(
    `P1 mutated HTTP requests: ${REQUESTS} sent, 0 crashes, ${wrong.length} of status 5xx; ${JSON.stringify(Object.fromEntries(counts))} (10⁵ with WEIR_HTTP_FUZZ=100000)`,
  );
  assert.deepEqual(wrong.slice(0, 5), []);
  const errors = service.log.filter(({ level }) => level === 'error' || Number(level) >= 50);
  assert.deepEqual(errors, []);
  assert.equal((await fetch(`${service.url}/health/live`)).status, 200);
});
