import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startService } from './support/service.ts';
import { post } from './support/service-contract.ts';
import { ask } from './support/service-raw.ts';

const service = await startService({ after }, ['--requests-per-minute', '1000']);

test('/diff returns the rules that only one of two lists has, without comments', async () => {
  const before = '! old\n||gone.example^\n||stays.example^\n  ||moved.example^';
  const after = '||moved.example^\n! new\n\n||stays.example^\n||new.example^\n||new.example^';
  const { status, headers, json } = await post(service, '/diff', { before, after });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(json, {
    success: true,
    added: ['||new.example^'],
    removed: ['||gone.example^'],
    addedCount: 1,
    removedCount: 1,
    unchangedCount: 2,
  });
  assert.deepEqual(Object.keys(json), ['success', 'added', 'removed', 'addedCount', 'removedCount', 'unchangedCount']);
});

test('/diff takes the names of the published service, also below /api', async () => {
  const lists = { original: ['||a.example^'], current: ['||b.example^'] };
  const { json } = await post(service, '/api/diff', lists);
  assert.deepEqual([json['added'], json['removed']], [['||b.example^'], ['||a.example^']]);
  assert.equal((await post(service, '/api/validate', { rules: '||a.example^' })).json['valid'], true);
});

test('/diff takes a list as one text or as its lines', async () => {
  const lines = ['||a.example^', '||b.example^'];
  const { json } = await post(service, '/diff', { before: lines, after: lines.join('\r\n') });
  assert.deepEqual([json['added'], json['removed'], json['unchangedCount']], [[], [], 2]);
  const empty = await post(service, '/diff', { before: '', after: [] });
  assert.deepEqual([empty.json['added'], empty.json['removed'], empty.json['unchangedCount']], [[], [], 0]);
});

test('/diff of two compilation results finds only the changes', async () => {
  const listOf = async (rules: string) => {
    const { json } = await post(service, '/compile', { configuration: { name: 'D', sources: [{ source: rules }] } });
    return json.rules;
  };
  const [before, after] = [await listOf('||a.example^\n||b.example^'), await listOf('||b.example^\n||c.example^')];
  const { json } = await post(service, '/diff', { before, after });
  assert.deepEqual(json['added'], ['||c.example^']);
  assert.deepEqual(json['removed'], ['||a.example^']);
});

test('/diff returns characters that JSON escapes unchanged', async () => {
  const rules = ['||"q"\\.example^', '||\u2028.example^', '||🦊.example^', '__proto__', 'constructor'];
  const { json } = await post(service, '/diff', { before: '', after: rules });
  assert.deepEqual(json['added'], rules);
});

test('/validate judges each line: valid, or why not and where', async () => {
  const rules = '||good.example^\n||bad.example^$script\n\n! remark\n0.0.0.0 host.example.org\n||org^';
  const { status, headers, json } = await post(service, '/validate', { rules });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(Object.keys(json), ['success', 'valid', 'invalidCount', 'results']);
  assert.equal(json['valid'], false);
  assert.equal(json['invalidCount'], 2);
  const results = json.results as unknown as Record<string, unknown>[];
  assert.deepEqual(
    results.map(({ line, kind }) => [line, kind]),
    [
      [1, 'valid'],
      [2, 'invalid'],
      [3, 'empty'],
      [4, 'comment'],
      [5, 'valid'],
      [6, 'invalid'],
    ],
  );
  assert.deepEqual(
    results.map(({ rule }) => rule),
    rules.split('\n'),
  );
  assert.deepEqual(Object.keys(results[0]!), ['line', 'rule', 'kind']);
  const { reason, position } = results[1] as { reason: string; position: { start: number; end: number } };
  assert.match(reason, /script/);
  assert.equal('||bad.example^$script'.slice(position.start, position.end), 'script');
});

test('/validate takes each of the four validators as mode', async () => {
  const rules = ['||192.0.2.7^', '||org^', '||fine.example^'];
  const verdicts: Readonly<Record<string, readonly string[]>> = {
    Validate: ['invalid', 'invalid', 'valid'],
    ValidateAllowIp: ['valid', 'invalid', 'valid'],
    ValidateAllowPublicSuffix: ['invalid', 'valid', 'valid'],
    ValidateAllowIpAndPublicSuffix: ['valid', 'valid', 'valid'],
  };
  for (const [mode, kinds] of Object.entries(verdicts)) {
    const { json } = await post(service, '/validate', { rules, mode });
    const results = json.results as unknown as { kind: string }[];
    assert.deepEqual(
      results.map(({ kind }) => kind),
      kinds,
      mode,
    );
    assert.equal(json['valid'], !kinds.includes('invalid'));
  }
});

test('/validate agrees with the transformation Validate', async () => {
  const rules = ['||a.example^', '||b', 'plain.example', '||c.example^$important', '/x/', '@@||d.example^', 'a b c'];
  const judged = await post(service, '/validate', { rules });
  const results = judged.json.results as unknown as { rule: string; kind: string }[];
  const { json } = await post(service, '/compile', {
    configuration: { name: 'V', sources: [{ source: rules.join('\n') }], transformations: ['Validate'] },
  });
  assert.deepEqual(
    results.filter(({ kind }) => kind === 'valid').map(({ rule }) => rule),
    json.rules?.filter((rule) => !rule.startsWith('!')),
  );
});

const wrong: readonly (readonly [string, unknown, string | undefined])[] = [
  ['/diff', {}, ''],
  ['/diff', { before: 'x' }, ''],
  ['/diff', { before: 7, after: '' }, 'before'],
  ['/diff', { before: '', after: ['a', null] }, 'after[1]'],
  ['/diff', [], ''],
  ['/diff', null, ''],
  ['/diff', '{', undefined],
  ['/diff', '', undefined],
  ['/validate', {}, ''],
  ['/validate', { rules: {} }, 'rules'],
  ['/validate', { rules: '', mode: 'Compress' }, 'mode'],
  ['/validate', { rules: '', mode: 1 }, 'mode'],
  ['/validate', 'nope', undefined],
];

for (const [path, body, place] of wrong) {
  test(`${path} of ${JSON.stringify(body)} is 400 with the path of the error`, async () => {
    const { status, headers, json } = await post(service, path, body);
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(json.success, false);
    if (place === undefined) {
      assert.match(json.error ?? '', /JSON/);
      assert.equal(json.details, undefined);
    } else {
      assert.equal(json.error, 'Invalid request body');
      assert(
        json.details?.some(({ path }) => path === place),
        JSON.stringify(json.details),
      );
    }
  });
}

test('a large answer of a tool is the same in gzip', async () => {
  const body = { before: '', after: Array.from({ length: 20_000 }, (_, at) => `||n${at}.example^`) };
  const [plain, packed] = await Promise.all([
    ask(service, 'POST', '/diff', { body }),
    ask(service, 'POST', '/diff', { body, headers: { 'accept-encoding': 'gzip' } }),
  ]);
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.deepEqual(gunzipSync(packed.body), plain.body);
  assert.equal(JSON.parse(plain.body.toString()).addedCount, 20_000);
});

test('a tool response that depends on Accept-Encoding has a Vary header', async () => {
  const body = { before: '', after: Array.from({ length: 1000 }, (_, at) => `||n${at}.example^`) };
  const batch = { requests: [{ id: 'a', configuration: { name: 'x', sources: [{ source: body.after.join('\n') }] } }] };
  for (const [path, asked] of [
    ['/diff', body],
    ['/compile/batch', batch],
  ] as const) {
    const { headers } = await ask(service, 'POST', path, { body: asked, headers: { 'accept-encoding': 'gzip' } });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.match(headers['vary'] ?? '', /Accept-Encoding/);
  }
});
