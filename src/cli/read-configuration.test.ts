import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { ConfigurationError } from '../compiler/index.ts';
import { readConfiguration } from './read-configuration.ts';

async function read(t: TestContext, name: string, content: string): Promise<unknown> {
  return readConfiguration(join(await temporaryFolder(t, { [name]: content }), name));
}

/** The error message without the folder. */
async function refusal(t: TestContext, name: string, content: string): Promise<string> {
  const folder = await temporaryFolder(t, { [name]: content });
  try {
    await readConfiguration(join(folder, name));
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.message.replaceAll(`${folder}/`, '');
  }
  return assert.fail('it was read');
}

const configuration = { name: 'Mine', sources: [{ source: 'ads.txt', exclusions: ['good'] }] };
const asYaml = 'name: Mine\nsources:\n  - source: ads.txt\n    exclusions: [good] # a comment\n';

test('JSON is read', async (t) => {
  assert.deepEqual(await read(t, 'list.json', JSON.stringify(configuration)), configuration);
  assert.deepEqual(await read(t, 'LIST.JSON', `\r\n\t${JSON.stringify(configuration, null, 2)}\n`), configuration);
});

test('YAML is read from files with a YAML extension', async (t) => {
  for (const name of ['list.yaml', 'list.yml', 'LIST.YML'])
    assert.deepEqual(await read(t, name, asYaml), configuration);
});

test('JSON is valid YAML, and YAML may look like JSON', async (t) => {
  assert.deepEqual(await read(t, 'list.yaml', JSON.stringify(configuration)), configuration);
  assert.deepEqual(await read(t, 'list.yaml', '{ name: Mine, sources: [] } # no JSON'), { name: 'Mine', sources: [] });
});

test('the first character determines the format if the file name does not', async (t) => {
  for (const name of ['list', 'list.conf', 'list.json.txt']) {
    assert.deepEqual(await read(t, name, `\n ${JSON.stringify(configuration)}`), configuration);
    assert.deepEqual(await read(t, name, asYaml), configuration);
  }
  assert.match(await refusal(t, 'list', '[,'), /not valid JSON/);
});

test('errors use the file name that was given', async (t) => {
  assert.match(
    await refusal(t, 'list.json', '{"name": nothing}'),
    /^Failed to validate configuration:\n {2}list\.json /,
  );
  assert.match(await refusal(t, 'list.yaml', 'name: [T'), /^Failed to validate configuration:\n {2}list\.yaml /);
});

test('a file named .json must be JSON: YAML is rejected', async (t) => {
  assert.match(await refusal(t, 'list.json', asYaml), /list\.json is not valid JSON/);
});

test('comments in JSON are rejected, with line and column', async (t) => {
  const message = await refusal(t, 'list.json', '{\n  // mine\n  "name": "Mine"\n}');
  assert.match(message, /not valid JSON.*line 2 column 3/s);
});

test('a trailing comma in JSON is rejected, with line and column', async (t) => {
  assert.match(await refusal(t, 'list.json', '{\n  "name": "Mine",\n}'), /not valid JSON.*line 3 column 1/s);
  assert.match(await refusal(t, 'list.json', '{\n  "sources": [{},]\n}'), /not valid JSON.*line 2 column 18/s);
});

test('a byte order mark before JSON is rejected, with line and column', async (t) => {
  const message = await refusal(t, 'list.json', `\uFEFF${JSON.stringify(configuration)}`);
  assert.match(message, /not valid JSON.*line 1 column 1/s);
});

test('truncated JSON is rejected, with line and column', async (t) => {
  assert.match(await refusal(t, 'list.json', '{\n  "name": "Mine"'), /not valid JSON.*line 2 column 17/s);
  assert.match(await refusal(t, 'list.json', ''), /not valid JSON.*line 1 column 1/s);
});

test('none of these JSON errors is accepted', async (t) => {
  const faults = [
    '\uFEFF{}',
    '{"a": 1,}',
    '[1,]',
    '{} // end',
    "{'a': 1}",
    '{a: 1}',
    '',
    ' ',
    '{',
    '{"a": 01}',
    '{} {}',
  ];
  for (const content of faults) assert.match(await refusal(t, 'list.json', content), /list\.json is not valid JSON/);
});

test('a YAML error has line and column', async (t) => {
  assert.match(await refusal(t, 'list.yaml', 'name: T\nsources: [\n'), /not valid YAML.*at line 3, column 1/s);
  assert.match(await refusal(t, 'list.yaml', 'name: T\nname: U\n'), /must be unique at line 2, column 1/);
  assert.match(await refusal(t, 'list.yaml', 'name: T\n---\nname: U\n'), /multiple documents.*at line 2, column 1/s);
});

test('an unquoted pattern is an alias without an anchor, and the error suggests quotes', async (t) => {
  const text = 'name: T\nsources: []\nexclusions:\n  - *.example.com\n';
  assert.match(await refusal(t, 'list.yaml', text), /not valid YAML: Unresolved alias.*put values .* in quotes/s);
});

test('aliases in YAML are expanded', async (t) => {
  assert.deepEqual(await read(t, 'list.yaml', 'a: &good [x, y]\nb: *good\n'), { a: ['x', 'y'], b: ['x', 'y'] });
});

test('YAML whose aliases would expand to an enormous size is rejected before expansion', async (t) => {
  const levels = Array.from({ length: 12 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
  assert.match(await refusal(t, 'bomb.yaml', `l0: &l0 [lol]\n${levels.join('\n')}\n`), /bomb\.yaml .*alias count/s);
});

test('no key of a configuration changes Object.prototype', async (t) => {
  const inJson = await read(t, 'list.json', '{"__proto__": {"polluted": 1}}');
  const inYaml = await read(t, 'list.yaml', '__proto__:\n  polluted: 1\n');
  const merged = await read(t, 'list.yaml', 'a: &a\n  __proto__: { polluted: 1 }\nb:\n  <<: *a\n');
  for (const value of [inJson, inYaml, merged]) assert.ok(typeof value === 'object');
  assert.equal(Reflect.get({}, 'polluted'), undefined);
  assert.deepEqual(Object.keys(inJson as object), ['__proto__']);
});

test('the error of a missing file names the file', async (t) => {
  const path = join(await temporaryFolder(t), 'none.json');
  await assert.rejects(readConfiguration(path), { code: 'ENOENT', message: new RegExp(path) });
});

test('the error of a folder names the folder', async (t) => {
  const folder = await temporaryFolder(t);
  await assert.rejects(readConfiguration(folder), { message: new RegExp(folder) });
});

test('a dash reads standard input, with the format detected by the first character', () => {
  const module = new URL('./read-configuration.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(module)}).then(({ readConfiguration }) => readConfiguration('-'))
    .then((value) => console.log(JSON.stringify(value)), (error) => console.log(error.message))`;
  const fromStandardInput = (input: string): string =>
    spawnSync(process.execPath, ['-e', program], { input, encoding: 'utf8' }).stdout.trim();
  assert.equal(fromStandardInput(JSON.stringify(configuration)), JSON.stringify(configuration));
  assert.equal(fromStandardInput(asYaml), JSON.stringify(configuration));
  assert.match(fromStandardInput('{"name": }'), /standard input is not valid JSON/);
});
