import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { ok } from '../kit/result.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { operatorSettings } from './operator-settings.ts';

/** The settings of a service that applies all of them, or fails for some. */
async function opened(t: TestContext, words: readonly string[] = [], failing: readonly (keyof Settings)[] = []) {
  const data = await temporaryFolder(t);
  const inputs = { words: ['--data', data, ...words], env: {}, cwd: data };
  const read = await readSettings(inputs);
  assert.ok(read.ok);
  const control = operatorSettings(read.value, (stored) => readSettings({ ...inputs, ...(stored && { stored }) }));
  control.reloadWith(async () => {
    const again = await control.readAgain();
    return again.ok ? ok({ failed: failing }) : again;
  });
  const file = join(data, 'operator-settings.json');
  return { control, api: control.api, file, stored: async () => JSON.parse(await readFile(file, 'utf8')), inputs };
}

test('a change is stored, applied, read at the next start, and reset', async (t) => {
  const { api, control, stored, inputs } = await opened(t);
  assert.deepEqual([api.find('upstream-timeout')?.source, api.find('upstream-timeout')?.isLive], ['default', true]);
  const changed = await api.set('upstream-timeout', ['3s']);
  assert.ok(changed.ok);
  assert.deepEqual([changed.value.values, changed.value.source], [['3s'], 'stored']);
  assert.equal(control.current().upstreamTimeoutSeconds, 3);
  assert.deepEqual(await stored(), { version: 1, settings: { 'upstream-timeout': ['3s'] } });
  const next = await readSettings(inputs);
  assert.ok(next.ok);
  assert.equal(next.value.settings.upstreamTimeoutSeconds, 3);
  assert.equal((await api.set('upstream-timeout', undefined)).ok, true);
  assert.deepEqual([await stored(), api.find('upstream-timeout')?.source], [{ version: 1, settings: {} }, 'default']);
});

test('a change is rejected if it is invalid, needs a restart, or a stronger source sets the value', async (t) => {
  const { api, file } = await opened(t, ['--log-level', 'warn']);
  const refused = async (name: string, values: readonly string[]): Promise<string> => {
    const changed = await api.set(name, values);
    return changed.ok ? 'changed' : changed.error;
  };
  assert.match(await refused('upstream-timeout', ['soon']), /^"soon" is not/);
  assert.match(await refused('upstream', ['ftp://example.org']), /^"ftp:\/\/example.org" /);
  assert.match(await refused('http', [':80']), /^it needs a restart/);
  assert.match(await refused('log-level', ['debug']), /^it is set by --log-level/);
  assert.equal(await refused('nothing', ['1']), 'unknown setting');
  await assert.rejects(readFile(file), { code: 'ENOENT' });
});

test('a change that cannot be applied is reverted', async (t) => {
  const { api, stored } = await opened(t, [], ['upstream']);
  const changed = await api.set('upstream', ['192.0.2.53']);
  assert.match(changed.ok ? '' : changed.error, /^it could not be applied/);
  assert.deepEqual(await stored(), { version: 1, settings: {} });
});

test('values that wait for a restart are named, and secrets are not shown', async (t) => {
  const { api, control, inputs } = await opened(t, ['--valkey', 'redis://user:pass@cache.example']);
  assert.deepEqual(api.find('valkey')?.values, ['redis://cache.example']);
  inputs.words.push('--product-name', 'Home');
  await control.readAgain();
  const { values, pending } = api.find('product-name')!;
  assert.deepEqual([values, pending], [['Weir'], ['Home']]);
});

test('a damaged or newer file stops the start with its path', async (t) => {
  const { file, inputs } = await opened(t);
  for (const [text, problem] of [
    ['{', 'is damaged'],
    ['{"version":1,"settings":{"upstream":"9.9.9.9"}}', 'is damaged'],
    ['{"version":2,"settings":{}}', 'newer version'],
    ['{"version":1,"settings":{"drain":["x"]}}', `${file}: drain: "x"`],
  ] as const) {
    await writeFile(file, text);
    const read = await readSettings(inputs);
    assert.ok(!read.ok && read.error.join().includes(problem), `${text}: ${read.ok || read.error.join()}`);
  }
  await writeFile(file, '{"version":1,"settings":{"of-a-later-version":["1"]}}');
  assert.equal((await readSettings(inputs)).ok, true);
});
