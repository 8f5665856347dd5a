import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { ok } from '../kit/result.ts';
import { readSettings, type Settings, settingName } from '../settings/settings.ts';
import { isLive, settingsReloader } from './reload-settings.ts';

test('a change of any setting is applied, or the log says that it needs a restart', async () => {
  const read = await readSettings({ words: [], env: {}, cwd: '/' });
  assert.ok(read.ok);
  const { settings: started } = read.value;
  for (const key of Object.keys(started) as (keyof Settings)[]) {
    const entries: { msg: string; applied?: string[]; settings?: string[] }[] = [];
    const reload = settingsReloader({
      started,
      readAgain: async () => ok({ settings: { ...started, [key]: 'another value' } }),
      parts: { log: () => {}, stop: () => {}, http: () => {}, dns: () => {}, hostsFile: () => {}, lists: () => {} },
      log: pino({}, { write: (line: string) => void entries.push(JSON.parse(line)) }),
    });
    assert.deepEqual(await reload(), ok({ failed: [] }));
    const name = settingName(key);
    const said = (msg: string) => entries.find((entry) => entry.msg === msg);
    assert.deepEqual(said('settings reloaded')?.applied, isLive(key) ? [name] : []);
    assert.deepEqual(said('these settings change with a restart')?.settings, isLive(key) ? undefined : [name]);
  }
});
