import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { settingsFromFile } from './settings-from-file.ts';

async function read(t: TestContext, content: string): Promise<readonly string[]> {
  const path = join(await temporaryFolder(t, { 'weir.yaml': content }), 'weir.yaml');
  return (await settingsFromFile(path, 'weir.yaml')).map((entry) =>
    entry.kind === 'invalid' ? entry.problem : `${entry.key}=${entry.values.map(({ text }) => text).join('+')}`,
  );
}

test('settings have the names of the flags, and values as they are written', async (t) => {
  const content = 'http: :8080\nadmin: off\nmax-body: 1048576\ncompile-time: "5m"\ndata: 1.0\n';
  assert.deepEqual(await read(t, content), [
    'http=:8080',
    'admin=off',
    'maxBodyBytes=1048576',
    'compileTimeSeconds=5m',
    'data=1.0',
  ]);
});

test('lists are YAML lists, of either look', async (t) => {
  const content = 'source-port: [80, 443]\ntrusted-proxy:\n  - ::1\n  - 10.0.0.0/8\nallow-source-host: []\n';
  assert.deepEqual(await read(t, content), ['sourcePort=80+443', 'trustedProxy=::1+10.0.0.0/8', 'allowSourceHost=']);
});

test('the certificate may be one file, as in earlier versions', async (t) => {
  const content = 'certificate: a.pem\ncertificate-key: [a.key, b.key]\n';
  assert.deepEqual(await read(t, content), ['certificate=a.pem', 'certificateKey=a.key+b.key']);
});

test('JSON is YAML too', async (t) => {
  assert.deepEqual(await read(t, '{"http": ":80", "source-port": [80]}'), ['http=:80', 'sourcePort=80']);
});

test('a file that is empty, or all comments, sets nothing', async (t) => {
  for (const content of ['', '\n', '# http: :80\n', '---\n', '\uFEFF'])
    assert.deepEqual(await read(t, content), [], content);
});

test('an unknown name suggests the nearest known one, with its line', async (t) => {
  assert.deepEqual(await read(t, 'log: json\nhtpp: :80\n\nmaxBody: 1k\n__proto__: x\n8080: x\n'), [
    'log=json',
    'weir.yaml: htpp (line 2): unknown setting; did you mean http?',
    'weir.yaml: maxBody (line 4): unknown setting; did you mean max-body?',
    'weir.yaml: __proto__ (line 5): unknown setting',
    'weir.yaml: 8080 (line 6): unknown setting',
  ]);
});

test('a file cannot name another', async (t) => {
  assert.deepEqual(await read(t, 'config: other.yaml\n'), [
    'weir.yaml: config (line 1): a settings file cannot refer to another one',
  ]);
});

test('one value where a list belongs, and the other way round, are refused with the way to write it', async (t) => {
  assert.deepEqual(await read(t, 'source-port: 80, 443\nhttp: [":80"]\n'), [
    'weir.yaml: source-port (line 1): expected a list: write [80, 443]',
    'weir.yaml: http (line 2): expected one value, not a list: ADDRESS:PORT',
  ]);
});

test('missing and nested values are rejected', async (t) => {
  assert.deepEqual(
    await read(t, 'http:\nsource-port:\nlog: {a: b}\nallow-source-host: [[a]]\ntrusted-proxy: [null]\n'),
    [
      'weir.yaml: http (line 1): expected a value: ADDRESS:PORT',
      'weir.yaml: source-port (line 2): expected a list of values: PORT',
      'weir.yaml: log (line 3): expected a value: text|json',
      'weir.yaml: allow-source-host (line 4): expected a list of values: HOST',
      'weir.yaml: trusted-proxy (line 5): expected a list of values: NETWORK',
    ],
  );
});

test('aliases are rejected, so that values cannot expand', async (t) => {
  const bomb = 'data: &a x\nallow-source-host: &b [*a, *a]\ntrusted-proxy: [*b, *b]\nlog: *a\n';
  const words = 'aliases are not supported; write the value itself';
  assert.deepEqual(await read(t, bomb), [
    'data=x',
    `weir.yaml: allow-source-host (line 2): ${words}`,
    `weir.yaml: trusted-proxy (line 3): ${words}`,
    `weir.yaml: log (line 4): ${words}`,
  ]);
});

test('invalid YAML is reported with its line, once', async (t) => {
  assert.deepEqual(await read(t, 'log: json\nhttp: [::1]:80\n'), [
    'weir.yaml (line 2): it is not valid YAML: Unexpected scalar at node end',
  ]);
  assert.deepEqual(await read(t, 'log: json\nlog: text\n'), [
    'weir.yaml (line 2): it is not valid YAML: Map keys must be unique',
  ]);
  assert.deepEqual(await read(t, 'log: json\n---\nlog: text\n'), [
    'weir.yaml (line 2): it has more than one YAML document',
  ]);
  assert.equal((await read(t, '['.repeat(20_000))).length, 1);
});

test('a file must contain names and values', async (t) => {
  for (const content of ['- http\n', 'http\n', '[]', '5'])
    assert.deepEqual(await read(t, content), ['weir.yaml: it must contain settings, one per line, as name: value']);
});

test('an unreadable file is reported with its given name and its full path', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'none.yaml');
  assert.deepEqual(await settingsFromFile(path, 'none.yaml'), [
    {
      kind: 'invalid',
      problem: `none.yaml: it cannot be read: ENOENT: no such file or directory, open '${path}'`,
    },
  ]);
  const [entry] = await settingsFromFile(folder, 'etc');
  assert.ok(entry?.kind === 'invalid');
  assert.match(entry.problem, /^etc: it cannot be read: EISDIR/);
});

test('settings of a group may be written as a map', async (t) => {
  assert.deepEqual(
    await read(t, 'acme:\n  email: ops@example.org\n  domains: [a.example.org, b.example.org]\n'),
    await read(t, 'acme-email: ops@example.org\nacme-domains: [a.example.org, b.example.org]\n'),
  );
  const wrong = await read(t, 'acme:\n  mail: ops@example.org\n');
  assert.match(JSON.stringify(wrong), /acme-mail/);
});
