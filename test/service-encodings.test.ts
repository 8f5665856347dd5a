import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { httpOrigin, says } from './support/net/origin.ts';
import { startService } from './support/service.ts';
import { postUntilHit } from './support/service-contract.ts';
import { ask, type RawAnswer } from './support/service-raw.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body),
  br: (body) => brotliDecompressSync(body),
  zstd: (body) => zstdDecompressSync(body),
};

function decoded({ headers, body }: RawAnswer): string {
  const encoding = headers['content-encoding'];
  return (encoding === undefined ? body : decoders[encoding]!(body)).toString();
}

const linesOf = (count: number): string => Array.from({ length: count }, (_, at) => `||host-${at}.example^`).join('\n');
const bring = (list: string): object => ({
  configuration: { name: 'Brought', sources: [{ source: 'k' }] },
  preFetchedContent: { k: list },
});
const withoutTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const compile = (body: unknown, headers: Readonly<Record<string, string>> = {}, path = '/compile') =>
  ask(service, 'POST', path, { headers, body });

const lists: Readonly<Record<string, string>> = { middling: linesOf(2000), 'five megabyte': linesOf(220_000) };

for (const [size, list] of Object.entries(lists)) {
  for (const accept of ['application/json', 'text/plain']) {
    test(`a ${size} list as ${accept} is the same in every encoding`, async () => {
      const identity = await compile(bring(list), { accept });
      assert.equal(identity.headers['content-encoding'], undefined);
      assert(identity.body.length > list.length);
      for (const encoding of Object.keys(decoders)) {
        const answer = await compile(bring(list), { accept, 'accept-encoding': encoding });
        assert.equal(answer.headers['content-encoding'], encoding);
        assert(answer.body.length < identity.body.length / 3, encoding);
        assert.equal(answer.headers['content-type'], identity.headers['content-type']);
        assert.equal(answer.headers['vary'], 'Accept, Accept-Encoding');
        assert.equal(withoutTimes(decoded(answer)), withoutTimes(identity.body.toString()), encoding);
      }
    });
  }
}

// Accept-Encoding of a request, and the encoding of a compiled list.
const choices: readonly (readonly [string, string | undefined])[] = [
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.2, gzip;q=0.1, zstd;q=0', 'br'],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip ; q=0.5 , br ; q=0.4', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['zstd;q=0, *', 'br'],
  ['nonsense;;;q=x,,', undefined],
];

for (const [accepted, encoding] of choices) {
  test(`Accept-Encoding "${accepted}" is answered ${encoding ?? 'as it is'}`, async () => {
    const plain = await compile(bring(lists['middling']!));
    const answer = await compile(bring(lists['middling']!), { 'accept-encoding': accepted });
    assert.equal(answer.headers['content-encoding'], encoding);
    assert.equal(withoutTimes(decoded(answer)), withoutTimes(plain.body.toString()));
  });
}

test('a cached list is the same in every encoding, fresh or cached, the first time and the second', async (t) => {
  const origin = await httpOrigin(t, says(200, { 'content-type': 'text/plain' }, linesOf(5000)));
  const body = { configuration: { name: 'Kept', sources: [{ source: origin.url }] } };
  const { text } = await postUntilHit(service, body);
  for (let times = 0; times < 2; times++) {
    for (const encoding of ['identity', ...Object.keys(decoders)]) {
      const answer = await compile(body, { 'accept-encoding': encoding });
      assert.equal(answer.headers['x-cache'], 'HIT');
      assert.equal(answer.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      assert.equal(decoded(answer), text, encoding);
    }
  }
  const { metrics } = JSON.parse(decoded(await compile({ ...body, benchmark: true }, { 'accept-encoding': 'gzip' })));
  assert.equal(metrics.sourceCount, 1, 'what is kept ready for others is not taken for those who want more');
});

test('a large cached list is the same in every encoding', async (t) => {
  const list = linesOf(220_000);
  const origin = await httpOrigin(t, says(200, { 'content-type': 'text/plain' }, list));
  const body = { configuration: { name: 'Large', sources: [{ source: origin.url }] } };
  const { text, json } = await postUntilHit(service, body);
  assert.deepEqual(json.rules?.slice(-220_000), list.split('\n'));
  for (const encoding of Object.keys(decoders))
    assert.equal(decoded(await compile(body, { 'accept-encoding': encoding })), text, encoding);
});

test('a client that prefers text gets the list itself', async () => {
  const wishes: readonly (readonly [string, string])[] = [
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/plain, application/json;q=0.9', 'text/plain; charset=utf-8'],
    ['text/plain;q=0.5, application/json', 'application/json'],
    ['text/plain, application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'application/json'],
    ['text/plain;q=0', 'application/json'],
  ];
  for (const [accept, type] of wishes) {
    const { status, headers, body } = await compile(bring('||text.example^'), { accept });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], type, accept);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['x-cache'], 'MISS');
    if (type !== 'application/json') {
      assert.match(body.toString(), /^!\n! Title: Brought\n[\s\S]+\n\|\|text\.example\^$/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-disposition'], undefined);
    }
  }
});

test('the names of kinds of content are the same in capitals', async () => {
  const { headers } = await compile(bring('||text.example^'), { accept: 'Text/Plain' });
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
});

test('a failure is JSON, also for clients that prefer text', async () => {
  const wrong = { configuration: { name: 'x', sources: [{ source: 'nowhere' }] } };
  for (const path of ['/compile', '/compile?download']) {
    const { status, headers, body } = await compile(wrong, { accept: 'text/plain' }, path);
    assert.equal(status, 400);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['content-disposition'], undefined);
    assert.equal(JSON.parse(body.toString()).error, 'No fetcher available for source: nowhere');
  }
});

// Name of the list, its `filename` and its `filename*`.
const files: readonly (readonly [string, string, string])[] = [
  ['My list', 'My-list.txt', 'My%20list.txt'],
  ['Werbung & Spürhunde 🐕', 'Werbung-Sp-rhunde.txt', 'Werbung%20%26%20Sp%C3%BCrhunde%20%F0%9F%90%95.txt'],
  ['日本語', 'list.txt', '%E6%97%A5%E6%9C%AC%E8%AA%9E.txt'],
  ['../../etc/passwd', 'etc-passwd.txt', '..-..-etc-passwd.txt'],
  ['a"b\\c\r\nset-cookie: x', 'a-b-c-set-cookie-x.txt', 'a%22b-c%0D%0Aset-cookie%3A%20x.txt'],
  ["it's (*)", 'it-s.txt', 'it%27s%20%28%2A%29.txt'],
];

for (const [name, plain, whole] of files) {
  test(`?download gives a file with the name of the list: ${JSON.stringify(name)}`, async () => {
    const order = { configuration: { name, sources: [{ source: '||file.example^' }] } };
    for (const path of ['/compile?download', '/compile?download=1&x=y', '/api/compile?download=']) {
      const { headers, body } = await compile(order, {}, path);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(headers['content-disposition'], `attachment; filename="${plain}"; filename*=UTF-8''${whole}`);
      assert.equal(headers['set-cookie'], undefined);
      assert(body.toString().endsWith('\n||file.example^'));
    }
  });
}
