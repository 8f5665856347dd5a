import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { until } from './support/kit/until.ts';
import { type Service, startService } from './support/service.ts';
import { assertDocumented, post, postUntilHit, untilAwaited } from './support/service-contract.ts';
import { versionedOrigin } from './support/service-origins.ts';
import { ask, type RawAnswer } from './support/service-raw.ts';

const flags = ['--requests-per-minute', '1000', '--allow-source-address', '127.0.0.1/32'];
const [service, alwaysExpired] = await Promise.all([
  startService({ after }, flags),
  startService({ after }, [...flags, '--cache-time', '0']),
]);

const inline = (name: string, source: string, more: object = {}): object => ({
  configuration: { name, sources: [{ source }], ...more },
});

/** Fetches, and validates the response with the OpenAPI document. */
async function fetchList(path: string, headers: Readonly<Record<string, string>> = {}, from: Service = service) {
  const answer = await ask(from, 'GET', path, { headers });
  const body = answer.headers['content-encoding'] === undefined ? answer.body.toString() : '';
  await assertDocumented(from, 'GET', path, {
    status: answer.status,
    type: answer.headers['content-type'] ?? null,
    body,
  });
  return answer;
}

/** The path of a cached list, from the headers of its compilation. */
async function listPathOf(body: unknown, at: Service = service): Promise<string> {
  const { headers } = await postUntilHit(at, body);
  return headers.get('content-location')!;
}

const etagOf = ({ headers }: RawAnswer): string => headers.etag ?? assert.fail('no ETag');

test('Content-Location of a compilation leads to its list, whether it is MISS or HIT', async () => {
  const body = inline('Placed', '||placed.example^');
  const first = await post(service, '/compile', body);
  const listPath = await listPathOf(body);
  assert.match(listPath, /^\/lists\/[0-9a-f]{64}$/);
  assert.equal(first.headers.get('content-location'), listPath);
  const { status, headers, body: list } = await fetchList(listPath);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['vary'], 'Accept-Encoding');
  assert.equal(headers['last-modified'], new Date(first.json.compiledAt!).toUTCString());
  assert.match(headers.etag ?? '', /^W\/"[0-9a-f]{64}"$/);
  assert.equal(list.toString(), first.json.rules?.join('\n'));
});

test('the answer as text has the path of the list, too', async () => {
  const body = inline('Placed', '||placed.example^');
  const { headers } = await post(service, '/compile', body, { accept: 'text/plain' });
  assert.equal(headers.get('content-location'), await listPathOf(body));
});

test('a list of another format is fetched in that format', async () => {
  const listPath = await listPathOf({ ...inline('Format', '||format.example^'), format: 'domains' });
  assert.match((await fetchList(listPath)).body.toString(), /^format\.example$/m);
});

test('a client with the current list gets 304 without a body', async () => {
  const listPath = await listPathOf(inline('Known', '||known.example^'));
  const etag = etagOf(await fetchList(listPath));
  const known = [etag, etag.slice(2), `"x", ${etag} , W/"y"`, '*'];
  for (const tags of known) {
    const { status, headers, body } = await fetchList(listPath, { 'if-none-match': tags });
    assert.equal(status, 304, tags);
    assert.equal(headers.etag, etag);
    assert.equal(headers['content-type'], undefined);
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(body.length, 0);
  }
  for (const tags of ['"x"', `W/"${'0'.repeat(64)}"`, etag.slice(3, -1)]) {
    const { status } = await fetchList(listPath, { 'if-none-match': tags });
    assert.equal(status, 200, tags);
  }
});

test('the id in an ETag leads to exactly that content', async () => {
  const listPath = await listPathOf(inline('Exact', '||exact.example^'));
  const list = await fetchList(listPath);
  const etag = etagOf(list);
  const exact = await fetchList(`/lists/${etag.slice(3, -1)}`);
  assert.equal(exact.status, 200);
  assert.equal(exact.headers.etag, etag);
  assert.deepEqual(exact.body, list.body);
  const known = await fetchList(`/lists/${etag.slice(3, -1)}`, { 'if-none-match': etag });
  assert.equal(known.status, 304);
});

test('a list is sent compressed to clients that accept gzip, and with the same content to others', async () => {
  const listPath = await listPathOf(
    inline('Packed', Array.from({ length: 3000 }, (_, at) => `||p${at}.example^`).join('\n')),
  );
  const plain = await fetchList(listPath);
  assert.equal(plain.headers['content-encoding'], undefined);
  for (const accepted of ['gzip', 'gzip, deflate, br, zstd', 'gzip;q=0.1']) {
    const packed = await fetchList(listPath, { 'accept-encoding': accepted });
    assert.equal(packed.headers['content-encoding'], 'gzip', accepted);
    assert.equal(packed.headers['content-length'], `${packed.body.length}`);
    assert.equal(packed.headers.etag, plain.headers.etag);
    assert.deepEqual(gunzipSync(packed.body), plain.body);
  }
  const other = await fetchList(listPath, { 'accept-encoding': 'zstd, gzip;q=0' });
  assert.equal(other.headers['content-encoding'], 'zstd');
  assert.deepEqual(zstdDecompressSync(other.body), plain.body);
});

test('HEAD of a list has the headers of GET and no body', async () => {
  const listPath = await listPathOf(inline('Head', '||head.example^'));
  const [head, get] = [await ask(service, 'HEAD', listPath), await ask(service, 'GET', listPath)];
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'cache-control'])
    assert.equal(head.headers[name], get.headers[name], name);
});

test('?download gives the list as a file with its name', async () => {
  const listPath = await listPathOf(inline('File of mine', '||file.example^'));
  const { headers } = await fetchList(`${listPath}?download`, { 'accept-encoding': 'gzip' });
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="File-of-mine.txt"; filename*=UTF-8''File%20of%20mine.txt`,
  );
});

const nowhere = [
  '0',
  'x'.repeat(64),
  '0'.repeat(64),
  '0'.repeat(63),
  'A'.repeat(64),
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '__proto__',
];
for (const id of nowhere) {
  test(`there is no list ${id}`, async () => {
    const { status, headers, body } = await fetchList(`/lists/${id}`);
    assert.equal(status, 404);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.etag, undefined);
    assert.deepEqual(JSON.parse(body.toString()), { success: false, error: 'Unknown list' });
  });
}

test('a list with content from the request has no Content-Location', async () => {
  const { headers } = await post(service, '/compile', {
    ...inline('Own', 'k'),
    preFetchedContent: { k: '||k.example^' },
  });
  assert.equal(headers.get('content-location'), null);
});

test('an expired list is compiled again when it is fetched', async (t) => {
  const { source, state } = await versionedOrigin(t);
  const body = inline('Subscribed', source);
  const listPath = await listPathOf(body, alwaysExpired);
  const first = await fetchList(listPath, {}, alwaysExpired);
  state.version = 2;
  const second = await fetchList(listPath, { 'if-none-match': etagOf(first) }, alwaysExpired);
  assert.equal(second.status, 200);
  assert.notEqual(etagOf(second), etagOf(first));
  assert(second.body.toString().endsWith('||version-2.example^'));
  // The previous content is deleted.
  const old = `/lists/${etagOf(first).slice(3, -1)}`;
  await until('its deletion', async () => (await fetchList(old, {}, alwaysExpired)).status === 404);
});

test('content that two lists had is there while one of them has it', async (t) => {
  const { source, state } = await versionedOrigin(t);
  const listPath = await listPathOf(inline('Twins', source));
  const other = await listPathOf(inline('Twins', source, { exclusions: ['nothing like it'] }));
  assert.notEqual(listPath, other);
  const etag = etagOf(await fetchList(listPath));
  assert.equal(etagOf(await fetchList(other)), etag);
  state.version = 2;
  await post(service, '/compile/stream', inline('Twins', source));
  await until('the new version', async () => etagOf(await fetchList(listPath)) !== etag);
  const { status, body } = await fetchList(`/lists/${etag.slice(3, -1)}`);
  assert.equal(status, 200);
  assert(body.toString().endsWith('||version-1.example^'));
});

test('an expired list that many clients fetch at once is compiled once', async (t) => {
  const { source, state, said } = await versionedOrigin(t);
  const listPath = await listPathOf(inline('Many', source), alwaysExpired);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  Object.assign(state, { version: 2, released: promise });
  const before = said.length;
  const fetching = Array.from({ length: 20 }, () => fetchList(listPath, {}, alwaysExpired));
  await untilAwaited(alwaysExpired, fetching.length);
  release();
  for (const { body } of await Promise.all(fetching)) assert(body.toString().endsWith('||version-2.example^'));
  assert.deepEqual(said.slice(before), [200]);
});

test('an expired list that has not changed keeps its ETag, though its sources are requested', async (t) => {
  const { source } = await versionedOrigin(t);
  const body = inline('Subscribed', source);
  const listPath = await listPathOf(body, alwaysExpired);
  const first = await fetchList(listPath, {}, alwaysExpired);
  assert.equal((await fetchList(listPath, { 'if-none-match': etagOf(first) }, alwaysExpired)).status, 304);
  // A stream always compiles: another date, and the same list.
  await until('a later date', async () => {
    await post(alwaysExpired, '/compile/stream', body);
    const { headers } = await fetchList(listPath, {}, alwaysExpired);
    assert.equal(headers.etag, etagOf(first));
    return headers['last-modified'] !== first.headers['last-modified'];
  });
});

test('an expired list that cannot be compiled again is served as it was', async (t) => {
  const { source, state } = await versionedOrigin(t);
  const body = inline('Subscribed', source);
  const listPath = await listPathOf(body, alwaysExpired);
  const first = await fetchList(listPath, {}, alwaysExpired);
  state.status = 404;
  const second = await fetchList(listPath, {}, alwaysExpired);
  assert.equal(second.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal(etagOf(second), etagOf(first));
});

test('a list that is not cached has no Content-Location', async (t) => {
  const roomless = await startService(t, [...flags, '--cache-size', '0']);
  const { headers } = await post(roomless, '/compile', inline('Roomless', '||roomless.example^'));
  const listPath = headers.get('content-location');
  if (listPath === null) return;
  await untilAwaited(roomless, 0);
  assert.equal((await ask(roomless, 'GET', listPath)).status, 200);
});
