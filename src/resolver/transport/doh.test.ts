import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as requestHttp } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../../../test/support/kit/until.ts';
import { answersForTests, query, readAnswer } from '../../../test/support/resolver/transport/answers.ts';
import {
  type Ask,
  askHttp2,
  askHttps1,
  askOn,
  askPlain,
  http2Client,
  startDoh,
} from '../../../test/support/resolver/transport/doh.ts';
import { defaultConnectionLimits } from './connections.ts';

const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const good = encoded(query(0, 'atOnce'));
const message = { 'content-type': 'application/dns-message' };
const post = (body: Uint8Array, headers: Record<string, string> = message): Ask => ({
  method: 'POST',
  path: '/dns-query',
  headers,
  body,
});

const versions = [
  { name: 'HTTP/2', ask: askHttp2 },
  { name: 'HTTP/1.1', ask: askHttps1 },
];

const table: readonly (readonly [why: string, ask: Ask, status: number])[] = [
  ['a query in the parameter dns', { path: `/dns-query?dns=${good}` }, 200],
  ['a query behind another parameter', { path: `/dns-query?x=1&dns=${good}&y=2` }, 200],
  ['a query whose encoding is encoded', { path: `/dns-query?dns=%41${good.slice(1)}` }, 200],
  ['an element behind the path', { path: `/dns-query/abcdefgh?dns=${good}` }, 200],
  ['a slash behind the path', { path: `/dns-query/?dns=${good}` }, 200],
  ['a query in the body', post(query(0, 'atOnce')), 200],
  ['a content type with a parameter', post(query(0, 'later'), { 'content-type': 'Application/DNS-Message; a=b' }), 200],
  ['another path', { path: '/' }, 404],
  ['a path that begins like ours', { path: `/dns-queryx?dns=${good}` }, 404],
  ['two elements behind the path', { path: `/dns-query/a/b?dns=${good}` }, 404],
  ['the path of the management', { path: '/oapi/v1/account' }, 404],
  ['a name that every object has', { path: '/constructor' }, 404],
  ['an element that is no encoding', { path: `/dns-query/%zz?dns=${good}` }, 400],
  ['no parameter dns', { path: '/dns-query' }, 400],
  ['another parameter', { path: '/dns-query?xdns=1' }, 400],
  ['an empty parameter dns', { path: '/dns-query?dns=' }, 400],
  ['characters that are not base64url', { path: `/dns-query?dns=${good}+/` }, 400],
  ['base64 with padding', { path: `/dns-query?dns=${good}=` }, 400],
  ['a length that base64 cannot have', { path: `/dns-query?dns=${good.slice(0, 21)}` }, 400],
  ['less than a header', { path: `/dns-query?dns=${encoded(query(0, 'atOnce', 11))}` }, 400],
  ['an answer where a query should be', { path: `/dns-query?dns=${encoded(Buffer.alloc(17, 0x80))}` }, 400],
  ['a body that is less than a header', post(query(0, 'atOnce', 11)), 400],
  ['an empty body', post(new Uint8Array()), 400],
  ['an answer in the body', post(Buffer.alloc(17, 0x80)), 400],
  ['another method', { method: 'PUT', path: `/dns-query?dns=${good}` }, 405],
  ['only the head', { method: 'HEAD', path: `/dns-query?dns=${good}` }, 405],
  ['what browsers ask before', { method: 'OPTIONS', path: '/dns-query' }, 405],
  ['a body of no type', post(query(0, 'atOnce'), {}), 415],
  ['a body of another type', post(query(0, 'atOnce'), { 'content-type': 'application/json' }), 415],
  [
    'a body of a type that begins like ours',
    post(query(0, 'atOnce'), { 'content-type': 'application/dns-messages' }),
    415,
  ],
  ['the longest body', post(query(0, 'atOnce', 65_535)), 200],
  [
    'a body that is too long and says so',
    post(query(0, 'atOnce', 65_536), { ...message, 'content-length': '65536' }),
    413,
  ],
  ['a body that is too long', post(query(0, 'atOnce', 70_000)), 413],
  ['JSON for a name', { path: '/resolve?name=example.org' }, 200],
  ['JSON by another method', post(query(0, 'atOnce')), 200],
  ['JSON without a name', { path: '/resolve?type=A' }, 400],
  ['JSON in a body', { method: 'POST', path: '/resolve?name=example.org' }, 405],
];

for (const { name, ask } of versions)
  test(`${name}: every request gets the status that it deserves`, async (t) => {
    const { address } = await startDoh(t);
    for (const [why, asked, status] of table) assert.equal((await ask(t, address.port, asked)).status, status, why);
  });

test('HTTP/1.1: a parameter that is longer than any message is refused unread', async (t) => {
  const { address } = await startDoh(t);
  const status = async (length: number) =>
    (await askHttps1(t, address.port, { path: `/dns-query?dns=${'A'.repeat(length)}` })).status;
  assert.equal(await status(87_381), 414);
  assert.equal(await status(87_380), 200);
  // Node's limit on the size of the header; it closes the connection while the client still writes.
  assert.ok([431, 0].includes(await status(200_000)));
});

for (const { name, ask } of versions) {
  test(`${name}: an answer has its content type and its max-age, and no other headers`, async (t) => {
    const { address } = await startDoh(t);
    const { headers } = await ask(t, address.port, { path: `/dns-query?dns=${good}` });
    const {
      ':status': _status,
      connection: _connection,
      'content-length': _length,
      'keep-alive': _alive,
      ...rest
    } = headers;
    assert.deepEqual(Object.fromEntries(Object.entries(rest)), {
      'content-type': 'application/dns-message',
      'cache-control': 'max-age=77',
    });
  });

  test(`${name}: 405 lists the allowed methods`, async (t) => {
    const { address } = await startDoh(t);
    const { headers } = await ask(t, address.port, { method: 'DELETE', path: '/dns-query' });
    assert.equal(headers['allow'], 'GET, POST');
    const resolve = await ask(t, address.port, { method: 'POST', path: '/resolve?name=a' });
    assert.equal(resolve.headers['allow'], 'GET');
  });

  test(`${name}: the handler gets the name, the path and the login of the request`, async (t) => {
    const { address } = await startDoh(t);
    const login = `Basic ${Buffer.from('abcdefgh:pass:word').toString('base64')}`;
    for (const wish of ['atOnce', 'later'] as const) {
      const path = `/dns-query/ios-abcd1234-My%20Phone?dns=${encoded(query(5, wish))}`;
      const { body } = await ask(t, address.port, { path, headers: { authorization: login } });
      const { clientPort, ...seen } = readAnswer(body);
      assert.ok(clientPort > 0);
      assert.deepEqual(seen, {
        id: 5,
        length: 17,
        transport: 'doh',
        client: '127.0.0.1',
        local: '127.0.0.1',
        serverName: 'dns.example',
        path: 'ios-abcd1234-My Phone',
        login: { user: 'abcdefgh', password: 'pass:word' },
      });
    }
  });

  test(`${name}: an unreadable login is passed on as invalid; another scheme is ignored`, async (t) => {
    const { address } = await startDoh(t);
    const loginFor = async (authorization: string) =>
      readAnswer((await ask(t, address.port, { path: `/dns-query?dns=${good}`, headers: { authorization } })).body)
        .login;
    for (const text of ['Basic', 'Basic !!!', `basic ${Buffer.from('nocolon').toString('base64')}`])
      assert.deepEqual(await loginFor(text), { user: '', password: '' }, text);
    assert.equal(await loginFor('Bearer abc'), undefined);
  });

  test(`${name}: a query that is dropped, or that cannot be answered, gets no answer at all`, async (t) => {
    const told: string[] = [];
    const { address } = await startDoh(t, { report: (problem) => void told.push(problem) });
    for (const wish of ['drop', 'throw'] as const)
      assert.equal((await ask(t, address.port, { path: `/dns-query?dns=${encoded(query(1, wish))}` })).status, 0);
    assert.deepEqual(told, ['answering a query failed']);
  });
}

test('X-Forwarded-For counts request by request, from trusted proxies, as far as they wrote it', async (t) => {
  const forwarders = (address: Uint8Array) => ['127.0.0.1', '10.0.0.9'].includes(address.join('.'));
  const { address } = await startDoh(t, { tls: 'none', forwarders });
  // One connection for all requests: a header of one request must not affect the next.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const clientFor = async (forwarded?: string): Promise<string> => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const sent = requestHttp({ host: '127.0.0.1', port: address.port, path: `/dns-query?dns=${good}`, headers, agent });
    sent.end();
    const [response] = await once(sent, 'response');
    return readAnswer(Buffer.concat(await response.toArray())).client;
  };
  assert.equal(await clientFor('192.0.2.1'), '192.0.2.1');
  assert.equal(await clientFor(), '127.0.0.1');
  assert.equal(await clientFor('198.51.100.9, 192.0.2.1'), '192.0.2.1');
  assert.equal(await clientFor('192.0.2.1, 10.0.0.9'), '192.0.2.1');
  assert.equal(await clientFor('192.0.2.1:4711'), '192.0.2.1');
  assert.equal(await clientFor('[2001:db8::1]:4711'), `20010db8${'0'.repeat(23)}1`);
  assert.equal(await clientFor('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(await clientFor('nonsense'), '127.0.0.1');
  assert.equal(await clientFor('192.0.2.1, nonsense'), '127.0.0.1');
});

test('X-Forwarded-For from others is nothing', async (t) => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  for (const forwarders of [undefined, () => false]) {
    const { address } = await startDoh(t, forwarders ? { forwarders } : {});
    const { body } = await askHttp2(t, address.port, { path: `/dns-query?dns=${good}`, headers });
    assert.equal(readAnswer(body).client, '127.0.0.1');
  }
});

test('plain HTTP speaks HTTP/1.1 and will not be upgraded to HTTP/2, by request or by surprise', async (t) => {
  const { address } = await startDoh(t, { tls: 'none' });
  const upgrade = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  const told = await askPlain(t, address.port, { path: `/dns-query?dns=${good}`, headers: upgrade });
  assert.equal(told.status, 200);
  assert.equal(told.headers['upgrade'], undefined);
  assert.equal((await askPlain(t, address.port, { path: '/oapi/v1/account', headers: upgrade })).status, 404);

  const socket = connectTcp(address.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  assert.match(bytes.toString(), /^HTTP\/1\.1 400/);
});

test('TLS does not speak plain HTTP', async (t) => {
  const { address } = await startDoh(t);
  assert.equal((await askPlain(t, address.port, { path: `/dns-query?dns=${good}` })).status, 0);
});

test('HTTP/2: 300 requests on one connection, each answered for itself, as they are ready', async (t) => {
  const { address } = await startDoh(t);
  const session = await http2Client(t, address.port);
  const ids = await Promise.all(
    Array.from({ length: 300 }, async (_, id) => {
      const { body } = await askOn(
        session,
        id % 2 ? post(query(id, 'later')) : { path: `/dns-query?dns=${encoded(query(id, 'later'))}` },
      );
      return readAnswer(body).id;
    }),
  );
  assert.deepEqual(
    ids,
    Array.from({ length: 300 }, (_, id) => id),
  );
});

test('HTTP/2: at most 100 streams are open', async (t) => {
  let most = 0;
  let underWay = 0;
  const { address } = await startDoh(
    t,
    {},
    {
      answerSync: () => -1,
      answerAsync(asked, reply) {
        most = Math.max(most, ++underWay);
        setTimeout(() => {
          underWay--;
          answersForTests.answerAsync(asked, reply);
        }, 5);
      },
    },
  );
  const session = await http2Client(t, address.port);
  const all = await Promise.all(
    Array.from({ length: 250 }, (_, id) => askOn(session, { path: `/dns-query?dns=${encoded(query(id, 'later'))}` })),
  );
  assert.ok(most <= 100, `${most}`);
  assert.equal(all.filter(({ status }) => status === 200).length, 250);
});

test('a body that never ends, a request that never ends and a connection that says nothing are given up', async (t) => {
  const timeoutMs = { ...defaultConnectionLimits.timeoutMs, first: 300, message: 300, busy: 300, idle: 300 };
  const server = await startDoh(t, { limits: { timeoutMs } });
  const plain = await startDoh(t, { limits: { timeoutMs }, tls: 'none' });
  const session = await http2Client(t, server.address.port);
  const stream = session.request({ ':method': 'POST', ':path': '/dns-query', ...message }, { endStream: false });
  stream.on('error', () => undefined);
  stream.write('x');

  const dripping = [
    'GET /dns-query HTTP/1.1\r\n',
    `POST /dns-query HTTP/1.1\r\nHost: a\r\nContent-Type: application/dns-message\r\nContent-Length: 20\r\n\r\nx`,
    '',
  ];
  const sockets = dripping.map((text) => {
    const socket = connectTcp(plain.address.port, '127.0.0.1');
    socket.on('error', () => undefined);
    t.after(() => socket.destroy());
    socket.write(text);
    return socket;
  });
  await Promise.all([once(session, 'close'), ...sockets.map((socket) => once(socket, 'close'))]);
  assert.deepEqual([server.counts().open, plain.counts().open], [0, 0]);
});

test('clients that disconnect at random leave no state behind', async (t) => {
  const server = await startDoh(t);
  for (let round = 0; round < 60; round++) {
    const session = await http2Client(t, server.address.port);
    for (let id = 0; id < 5; id++)
      void askOn(
        session,
        id % 2 ? post(query(id, 'later')) : { path: `/dns-query?dns=${encoded(query(id, 'later'))}` },
      );
    await sleep(Math.random() * 6);
    session.destroy();
  }
  await until('all to be gone', () => server.counts().open === 0);
});

test('curl gets an answer by both versions', {
  skip: spawnSync('curl', ['--version']).error !== undefined,
}, async (t) => {
  const { address } = await startDoh(t, {}, answersForTests);
  for (const [flag, version] of [
    ['--http1.1', '1.1'],
    ['--http2', '2'],
  ]) {
    const url = `https://127.0.0.1:${address.port}/dns-query?dns=${good}`;
    const curl = spawn('curl', ['-sk', flag!, '-o', '/dev/null', '-w', '%{http_version} %{http_code}', url]);
    const [said] = (await once(curl.stdout, 'data')) as [Buffer];
    assert.equal(said.toString(), `${version} 200`);
  }
});

test('h2load and nghttp get every answer, by GET and POST, also with small windows', {
  skip: ['h2load', 'nghttp'].some((program) => spawnSync(program, ['--version']).error !== undefined),
}, async (t) => {
  const { address } = await startDoh(t);
  const folder = await mkdtemp(join(tmpdir(), 'doh-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'query');
  await writeFile(file, query(0, 'later'));
  const url = `https://127.0.0.1:${address.port}/dns-query`;
  const said = async (program: string, words: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, words, { encoding: 'utf8' })).stdout;
  const many = ['-n', '3000', '-c', '3', '-m', '100'];
  for (const more of [[], ['-w', '1', '-W', '16']]) {
    const got = await said('h2load', [...many, ...more, `${url}?dns=${good}`]);
    assert.match(got, /3000 done, 3000 succeeded.*\n.*3000 2xx/);
    const type = 'content-type: application/dns-message';
    const posted = await said('h2load', [...many, ...more, '-d', file, '-H', type, url]);
    assert.match(posted, /3000 done, 3000 succeeded.*\n.*3000 2xx/);
  }
  const all = Array.from({ length: 5 }, (_, nth) => `${url}?dns=${good}&nth=${nth}`);
  assert.equal((await said('nghttp', ['-ns', ...all])).match(/ 200 /g)?.length, 5);
});
