import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNames } from '../src/compiler/index.ts';
import { ask, broughtAlong, configurationOf, rulesIn, sendRaw, serviceOfFile } from './support/hostile.ts';
import { wrongValues } from './support/wrong-values.ts';

const many = ['--requests-per-minute', '100000', '--cpu-seconds-per-minute', '100000'];
const service = await serviceOfFile(many);

const paths = ['/compile', '/compile/stream', '/compile/batch', '/validate', '/diff'];
const good = configurationOf('||a.example^');

const notJson: readonly (string | Buffer)[] = [
  '',
  ' ',
  'x',
  '{',
  '{}}',
  '[1,]',
  "{'configuration':{}}",
  '{"configuration":}',
  '{"configuration":NaN}',
  '{"a":01}',
  '"\n"',
  'undefined',
  '\ufeff{}',
  '// {}\n{}',
  '\0',
  '{"a":"\\x41"}',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
];

test('invalid JSON and missing fields are rejected everywhere', async () => {
  for (const path of paths) {
    for (const body of [...notJson, 'null', '1', '"x"', 'true', '[]', '{}', '[{}]']) {
      const { status, json } = await ask(service, path, body);
      assert.equal(status, 400, `${path} ${String(body)}`);
      assert.equal(json.success, false);
      assert.ok(json.error, `${path} ${String(body)}`);
    }
  }
});

test('a value of a wrong kind is refused at every place, with the place', async () => {
  const level = {
    transformations: ['Deduplicate'],
    exclusions: ['b'],
    exclusions_sources: ['patterns.txt'],
    inclusions: ['a'],
    inclusions_sources: ['patterns.txt'],
  };
  const whole = {
    configuration: {
      name: 'List',
      description: 'd',
      homepage: 'h',
      license: 'l',
      version: 'v',
      sources: [{ source: 'list.txt', name: 'Source', type: 'adblock', mirrors: ['list.txt'], ...level }],
      ...level,
    },
    preFetchedContent: { 'list.txt': '||a^', 'patterns.txt': 'a' },
    benchmark: true,
    explain: true,
    format: 'adblock',
    onSourceError: 'fail',
  };
  assert.equal((await ask(service, '/compile', whole)).status, 200);
  const wrongs = [...wrongValues(whole)];
  assert.ok(wrongs.length > 400);
  for (let at = 0; at < wrongs.length; at += 20) {
    await Promise.all(
      wrongs.slice(at, at + 20).map(async ({ place, value, isOtherKind, body }) => {
        const { status, json } = await ask(service, '/compile', body);
        const told = `${place} = ${JSON.stringify(value)}: ${JSON.stringify(json).slice(0, 300)}`;
        const isBadSource = status === 500 && json.error === 'Source failed: it is binary, not text';
        // The required members, and the members of lists; null is the absence of all others.
        const mayBeNull =
          !/configuration$|name$|sources$|source$|\]$|list\.txt$|patterns\.txt$/.test(place) ||
          /sources\[0\]\.name$|_sources$/.test(place);
        if (value === null && mayBeNull) {
          assert.ok(status === 200 || (status === 400 && place === 'preFetchedContent'), told);
          return;
        }
        assert.ok(status === 400 || ((status === 200 || isBadSource) && !isOtherKind), told);
        if (isOtherKind)
          assert.ok(
            json.details?.some(({ path }) => path === place),
            told,
          );
      }),
    );
  }
});

test('JSON nested a million deep is rejected at once', async () => {
  const deep = 1_000_000;
  for (const path of paths) {
    for (const nested of [
      '['.repeat(deep) + ']'.repeat(deep),
      '{"a":'.repeat(deep),
      `{"configuration":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      `{"preFetchedContent":${'{"":'.repeat(deep)}1${'}'.repeat(deep)}}`,
    ]) {
      const began = performance.now();
      const { status, json } = await ask(service, path, nested);
      assert.deepEqual([status, json.error], [400, 'lists and objects within each other more than 32 deep'], path);
      // A parser with exponential time in the depth would need hours.
      assert.ok(performance.now() - began < 15_000, path);
    }
  }
});

test('names that every object has are ordinary names', async () => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']) {
    const held = `"${key}":{"name":"x","sources":[],"success":true,"polluted":"yes"}`;
    const unknown = await ask(
      service,
      '/compile',
      `{"configuration":{"name":"n","sources":[{"source":"||a^"}],${held}}}`,
    );
    assert.deepEqual([unknown.status, unknown.json.details?.[0]?.path], [400, `configuration.${key}`]);
    const inSource = await ask(
      service,
      '/compile',
      `{"configuration":{"name":"n","sources":[{"source":"||a^",${held}}]}}`,
    );
    assert.deepEqual([inSource.status, inSource.json.details?.[0]?.path], [400, `configuration.sources[0].${key}`]);
    assert.equal((await ask(service, '/compile', `{${held}}`)).status, 400);
    assert.equal((await ask(service, '/compile', configurationOf(key))).status, 400);
    const brought = `{"configuration":{"name":"n","sources":[{"source":"${key}"}]},"preFetchedContent":{"${key}":"||own.example^"}}`;
    assert.deepEqual(rulesIn(await ask(service, '/compile', brought)), ['||own.example^'], key);
  }
  const { json } = await ask(service, '/compile', good);
  assert.ok(!('polluted' in json));
});

test('if a member is repeated, the last one is used', async () => {
  const twice =
    '{"configuration":1,"configuration":{"name":"n","sources":[],"sources":[{"source":"||a^","source":"||b^"}]}}';
  assert.deepEqual(rulesIn(await ask(service, '/compile', twice)), ['||b^']);
});

test('lone surrogates and invalid UTF-8 are returned as valid text', async () => {
  const half = '\\ud800';
  for (const body of [
    `{"configuration":{"name":"${half}","description":"${half}","sources":[{"source":"||a^","name":"${half}"}]}}`,
    `{"configuration":{"name":"n","sources":[{"source":"||${half}^\\n||b^"}],"exclusions":["${half}","/${half}/"]}}`,
    `{"configuration":{"name":"n","sources":[{"source":"${half}"}]},"preFetchedContent":{"${half}":"||a^${half}"}}`,
    Buffer.from('{"configuration":{"name":"\xff\xc0","sources":[{"source":"||a\xed\xa0\x80^"}]}}', 'latin1'),
  ]) {
    for (const path of ['/compile', '/compile?download', '/compile/stream']) {
      const { status, text } = await ask(service, path, body);
      assert.equal(status, 200, `${path} ${String(body)}`);
      assert.ok(text.isWellFormed() && text.includes('||'), `${path} ${String(body)}`);
    }
  }
});

test('a body of another type is refused, one without a type is read as JSON', async () => {
  for (const type of [
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/octet-stream',
    'json',
    '/',
    'a'.repeat(5000),
  ]) {
    for (const path of paths) {
      const { status, json } = await ask(service, path, good, { headers: { 'content-type': type } });
      assert.deepEqual([status, json.success], [415, false], `${path} ${type.slice(0, 50)}`);
    }
  }
  const untyped = `POST /compile HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: `;
  const sent = JSON.stringify(good);
  assert.match(await sendRaw(service, `${untyped}${sent.length}\r\n\r\n${sent}`), /^HTTP\/1\.1 200 /);
  for (const type of ['application/json;charset=utf-8', 'APPLICATION/JSON', 'text/plain', 'application/x+json']) {
    assert.equal((await ask(service, '/compile', good, { headers: { 'content-type': type } })).status, 200, type);
  }
});

test('ten mebibytes that came along are compiled', async () => {
  const line = '||host.example.org^\n';
  const list = line.repeat(Math.floor((10 * 2 ** 20 - 1000) / (line.length + 1)));
  const order = broughtAlong(list, { transformations: ['Deduplicate', 'RemoveEmptyLines'] });
  assert.ok(JSON.stringify(order).length > 10 * 2 ** 20 - 2000);
  const { status, json } = await ask(service, '/compile', order);
  assert.equal(status, 200);
  assert.deepEqual(rulesIn({ json }), ['||host.example.org^']);
});

const breaks = ['\n', '\r', '\r\n', '\n\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0', '\n\r'];

test('nothing in the words about a list becomes a rule of it, in any format', async () => {
  const evil = breaks.map((end) => `x${end}||evil.example^${end}0.0.0.0 evil.example${end}evil.example`).join('');
  const words = { name: evil, description: evil, homepage: evil, license: evil, version: evil };
  const order = { configuration: { ...words, sources: [{ source: '||good.example^', name: evil }] } };
  for (const format of formatNames) {
    const { status, text } = await ask(service, '/compile?download', { ...order, format });
    assert.equal(status, 200, format);
    const rules = text.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== '' && !/^[!#;]/.test(line));
    assert.ok(
      rules.some((rule) => rule.includes('good.example')),
      format,
    );
    assert.deepEqual(
      rules.filter((rule) => rule.includes('evil')),
      [],
      format,
    );
  }
});

test('nothing in a name becomes a header, or an event', async () => {
  for (const name of [...breaks, '"', '\\', ';', "'", '../../x', '\u202e', '😀', '%0d%0a', 'ﬀ'.repeat(50_000)]) {
    const evil = `x${name}Set-Cookie: a=b${name}event: done${name}data: {}${name}${name}y`;
    const order = configurationOf('||a.example^', { name: evil, description: evil });
    const file = await ask(service, '/compile?download', order);
    assert.equal(file.status, 200, name);
    assert.equal(file.headers['set-cookie'], undefined);
    assert.match(
      file.headers['content-disposition']!,
      /^attachment; filename="[\w-]+\.txt"; filename\*=UTF-8''[\w.%!~-]+\.txt$/,
    );
    const { text } = await ask(service, '/compile/stream', order);
    const lines = text.split(/\r\n|[\r\n]/);
    assert.equal(lines.filter((line) => line.startsWith('event: done')).length, 1);
    for (const line of lines) assert.match(line, /^(id: \d+|event: [a-z:]+|data: [{].*[}]|)$/s);
  }
});

const raw: readonly (readonly [what: string, request: string, answer: RegExp])[] = [
  [
    'two lengths',
    'POST /compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    /400/,
  ],
  [
    'length and chunks',
    'POST /compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    /400/,
  ],
  ['a chunk that lies', 'POST /compile HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', /400/],
  ['no HTTP', 'EHLO a\r\n\r\n', /400/],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', /400/],
  ['a folded header', 'GET /api HTTP/1.1\r\nHost: localhost\r\nX: a\n b\r\n\r\n', /400/],
  ['long headers', `GET /api HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, /431/],
  ['no host', 'GET /api HTTP/1.1\r\n\r\n', /400/],
  ['a strange method', 'BREW /compile HTTP/1.1\r\nHost: localhost\r\n\r\n', /400/],
  ['a path up', 'GET /lists/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /404/],
  [
    'a written path up',
    'GET /lists/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    /40[04]/,
  ],
  ['a broken path', 'GET /lists/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /40[04]/],
  ['a NUL', 'GET /lists/%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /40[04]/],
  [
    'a long path',
    `GET /lists/${'a'.repeat(10_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    /4(04|14)/,
  ],
  ['another site', 'GET http://evil.example/etc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /404/],
];

test('a malformed request is rejected, and the next one served', async () => {
  for (const [what, request, answer] of raw) {
    const heard = await sendRaw(service, Buffer.from(request, 'latin1'));
    assert.match(heard.slice(0, 12), new RegExp(`^HTTP/1\\.1 ${answer.source}`), `${what}: ${heard.slice(0, 200)}`);
    assert.doesNotMatch(heard, /passwd|evil\.example|node:|\.ts/, what);
  }
  const tooLong = await sendRaw(
    service,
    Buffer.from(`GET /oapi/v1/devices?devices=${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`),
  );
  const { success, error_code, fields, message } = JSON.parse(tooLong.slice(tooLong.indexOf('{')));
  assert.deepEqual([success, error_code, fields], [false, 'BAD_REQUEST', []]);
  assert.match(message, /too long/);
  assert.equal((await ask(service, '/compile', good)).status, 200);
});

test('nothing of all this was a fault of the service', () => {
  assert.deepEqual(
    service.log.filter(({ level }) => level === 'error'),
    [],
  );
});
