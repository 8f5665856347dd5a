import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type LookupFunction } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  lookupIn,
  noFetcher,
  notFetched,
  OPEN_HOST,
  openUrl,
  serviceReader,
} from '../../test/support/app/service-reader.ts';
import { httpOrigin, inTurn, says } from '../../test/support/net/origin.ts';
import { downloader } from '../net/download.ts';

/** Listens on all addresses of this machine and records forbidden connections. */
async function canaryOf(t: TestContext): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push(socket.localAddress ?? '');
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nheard');
  });
  t.after(() => server.close());
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { port: address.port, heard };
}

const ownMachine = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.0.0.2',
  '127.255.255.254',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '0177.0.0.1',
  '0x7f.1',
  '0',
  '0.0.0.0',
  '127。0。0。1',
  '127｡0｡0｡1',
  '127．0．0．1',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
];

const otherPlaces = [
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '[::127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
];

test('no spelling of a private address is connected to for sources, includes or patterns', async (t) => {
  const canary = await canaryOf(t);
  const read = serviceReader({ open: { ports: [canary.port] } });
  for (const host of [...ownMachine, ...otherPlaces]) {
    for (const as of ['source', 'include', 'patterns'] as const) {
      await assert.rejects(read(`http://${host}:${canary.port}/list.txt`, as), notFetched, host);
    }
    await assert.rejects(read(`https://${host}:${canary.port}/list.txt`), notFetched, host);
  }
  const hosts = ownMachine.length + otherPlaces.length;
  t.diagnostic(`P14 forbidden addresses: ${canary.heard.length} of ${hosts * 4} downloads opened a connection`);
  assert.deepEqual(canary.heard, []);
});

test('the test detects allowed connections', async (t) => {
  const canary = await canaryOf(t);
  await downloader({ maxRetries: 0 })(`http://0x7f.1:${canary.port}/`);
  assert.equal(canary.heard.length, 1);
});

test('names are checked by all their addresses', async (t) => {
  const canary = await canaryOf(t);
  const names: Record<string, readonly string[]> = {
    localhost: ['127.0.0.1', '::1'],
    'localhost.': ['127.0.0.1'],
    'ip6-localhost': ['::1'],
    postgres: ['172.18.0.2'],
    'metadata.internal': ['169.254.169.254'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'both.example': ['8.8.8.8', '127.0.0.1'],
    'other-family.example': ['8.8.8.8', 'fd00::1'],
    'zone.example': ['fe80::1%lo'],
    'anything.example': ['0.0.0.0'],
    'not-an-address.example': ['localhost'],
  };
  const read = serviceReader({ settings: { lookup: lookupIn(names) }, open: { ports: [canary.port] } });
  for (const name of [...Object.keys(names), 'LOCALHOST', 'l%6fcalhost', 'a..b', 'nowhere.invalid']) {
    await assert.rejects(read(`http://${name}:${canary.port}/`), notFetched, name);
  }
  assert.deepEqual(canary.heard, []);
});

test('a name that becomes private after it was checked is not connected to', async (t) => {
  const canary = await canaryOf(t);
  // 127.0.0.1 stands for the public address; the canary listens on all others.
  const open = { allowHosts: [], allowNetworks: ['127.0.0.1'], ports: [canary.port] };
  const rebinding = () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [{ address: answers.shift() ?? '', family: 4 }]);
    return serviceReader({ open, settings: { lookup, maxRetries: 3, sleep: () => Promise.resolve() } });
  };
  const steady = rebinding();
  assert.equal((await steady(`http://rebinding.example:${canary.port}/1`)).text, 'heard');
  await assert.rejects(steady(`http://rebinding.example:${canary.port}/2`), notFetched);

  const moved = await httpOrigin(t, says(302, { location: `http://rebinding.example:${canary.port}/` }));
  await assert.rejects(rebinding()(`http://rebinding.example:${moved.port}/`), notFetched);
  const busy = await httpOrigin(t, says(503));
  await assert.rejects(rebinding()(`http://rebinding.example:${busy.port}/`), notFetched);
  assert.equal(busy.connections.length, 1);
  assert.equal(canary.heard.length, 1);
});

test('a redirect to a private address is rejected in any spelling', async (t) => {
  const canary = await canaryOf(t);
  const targets = [
    ...ownMachine.map((host) => `http://${host}:${canary.port}/`),
    `//127.0.0.1:${canary.port}/`,
    `\\\\127.0.0.1:${canary.port}/`,
    `http:\\\\127.0.0.1:${canary.port}/`,
    `http://${OPEN_HOST}@127.0.0.1:${canary.port}/`,
    `http://user:secret@${OPEN_HOST}:${canary.port}/`,
    `http://localhost:${canary.port}/`,
    `http://${OPEN_HOST}:0/`,
    'file:///etc/passwd',
    'data:text/plain,||a^',
    `gopher://127.0.0.1:${canary.port}/_INFO`,
    `ftp://127.0.0.1:${canary.port}/`,
    'http://[',
    `http://a.example/${'a'.repeat(2048)}`,
  ];
  const lookup = lookupIn({ localhost: ['127.0.0.1'] });
  for (const status of [301, 307]) {
    for (const target of targets) {
      const location = Buffer.from(target).toString('latin1');
      const origin = await httpOrigin(t, says(status, { location }));
      const read = serviceReader({ settings: { lookup }, open: { ports: [canary.port] } });
      await assert.rejects(read(openUrl(origin)), notFetched, target);
      assert.equal(origin.connections.length, 1);
    }
  }
  t.diagnostic(`P14 redirects: ${canary.heard.length} of ${targets.length * 2} reached a forbidden address`);
  assert.deepEqual(canary.heard, []);
});

test('every redirect of a chain is checked', async (t) => {
  const canary = await canaryOf(t);
  const back = says(302, { location: `http://127.0.0.1:${canary.port}/` });
  const origin = await httpOrigin(t, inTurn(says(302, { location: '/1' }), says(308, { location: '/2' }), back));
  await assert.rejects(serviceReader({ open: { ports: [canary.port] } })(openUrl(origin)), notFetched);
  assert.equal(origin.connections.length, 3);
  assert.deepEqual(canary.heard, []);
});

test('a response that is not a redirect is not followed', async (t) => {
  const canary = await canaryOf(t);
  const url = `http://127.0.0.1:${canary.port}/`;
  const headers = { refresh: `0;url=${url}`, link: `<${url}>; rel=preload`, 'content-location': url, location: url };
  const origin = await httpOrigin(t, says(200, headers, `||a^\n<meta http-equiv=refresh content="0;url=${url}">`));
  assert.equal((await serviceReader()(openUrl(origin))).kind, 'url');
  assert.deepEqual(canary.heard, []);
});

test('a service cannot be made to call itself, even by an allowed name', async (t) => {
  const canary = await canaryOf(t);
  const open = {
    allowNetworks: ['127.0.0.0/8', '::1'],
    isOwn: ({ port }: { port: number }) => port === canary.port,
  };
  const read = serviceReader({ open });
  for (const host of [OPEN_HOST, '127.0.0.1', '[::1]', '127.1']) {
    await assert.rejects(read(`http://${host}:${canary.port}/compile`), notFetched, host);
  }
  const origin = await httpOrigin(t, says(302, { location: openUrl(canary, 'compile') }));
  await assert.rejects(read(openUrl(origin)), notFetched);
  assert.deepEqual(canary.heard, []);
});

test('credentials, ports of other services and endless URLs are refused', async () => {
  const read = serviceReader({ settings: { lookup: lookupIn({ 'example.com': ['8.8.8.8'] }) } });
  for (const url of [
    'http://127.0.0.1:80@example.com/',
    'http://user@example.com/',
    'http://:secret@example.com/',
    'http://example.com:0/',
    'http://example.com:22/',
    'http://example.com:25/',
    'http://example.com:6379/',
    'http://example.com:65536/',
    'http://example.com:-1/',
    'http://127.0.0.1%00.example.com/',
    'http://127.0.0.1\0.example.com/',
    'http://[::1%25eth0]/',
    'http://[fe80::1%25eth0]/',
    'http://',
    'http:///',
    'https://exa mple.com/',
    'http://127.0.0.1\t/',
    'http://127.0.0.1\n/',
    'ht\ntp://127.0.0.1/',
    '\thttp://127.0.0.1/',
    `http://example.com/${'a'.repeat(2048)}`,
  ]) {
    await assert.rejects(read(url), notFetched, url);
  }
});

test('a URL is requested from the host that the standard defines, and no part of it becomes a header', async (t) => {
  const canary = await canaryOf(t);
  const answers = inTurn(says(200, {}, '||a.example^'));
  const origin = await httpOrigin(t, answers);
  const base = `http://${OPEN_HOST}:${origin.port}`;
  for (const url of [`${base}#@127.0.0.1:${canary.port}/`, `${base}\\@127.0.0.1/`, `${base}/\r\nX-Own: y`]) {
    assert.equal((await serviceReader()(url)).kind, 'url', url);
  }
  assert.deepEqual(
    answers.asked.map(({ headers }) => [headers.host, headers['x-own']]),
    Array(3).fill([`${OPEN_HOST}:${origin.port}`, undefined]),
  );
  assert.deepEqual(canary.heard, []);
});

test('other schemes and paths have no fetcher', async () => {
  const read = serviceReader();
  for (const source of [
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'file://localhost/etc/passwd',
    'file:etc/passwd',
    'data:text/plain,||a^',
    'javascript:1',
    'blob:http://127.0.0.1/a',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_INFO',
    'dict://127.0.0.1:11211/stat',
    'ldap://127.0.0.1/',
    'sftp://x/',
    'ws://127.0.0.1/',
    'netdoc:///etc/passwd',
    'jar:http://127.0.0.1!/',
    'view-source:http://127.0.0.1',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'http:127.0.0.1/',
    'http:/127.0.0.1/',
    '//127.0.0.1/x',
    '\\\\host\\share\\x',
    ' http://127.0.0.1/',
    '/etc/passwd',
    '../../../../etc/passwd',
    'lists/..;/etc/passwd',
    'lists/‥/etc/passwd',
    '..%2f..%2fetc/passwd',
    '/proc/self/environ',
    '/proc/self/fd/0',
    '/dev/zero',
    '/dev/tcp/127.0.0.1/6379',
    '$HOME/.env',
    '~/.ssh/id_rsa',
    'lists/a.txt\0.png',
    'CON',
    'localhost',
    '127.0.0.1',
  ]) {
    for (const as of ['source', 'include', 'patterns'] as const) {
      await assert.rejects(read(source, as), noFetcher(source), source);
    }
  }
});
