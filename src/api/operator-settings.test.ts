import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { err, ok } from '../kit/result.ts';
import type { Deps, SettingState } from './deps.ts';
import { operatorSettingOperations } from './operator-settings.ts';

const settingOf = (name: string, isList: boolean, values: readonly string[]): SettingState => ({
  name,
  section: 'DNS',
  help: 'Help.',
  placeholder: 'VALUE',
  isList,
  choices: [],
  values,
  source: 'default',
  place: undefined,
  isLive: true,
});

/** Settings in memory; the value `bad` is rejected. */
function settingsOf(stored: Map<string, SettingState>): Deps['settings'] {
  return {
    list: () => [...stored.values()],
    find: (name) => stored.get(name),
    set: async (name, values) => {
      if (values?.includes('bad')) return err('must be good');
      const changed: SettingState = {
        ...stored.get(name)!,
        values: values ?? [],
        source: values ? 'stored' : 'default',
      };
      stored.set(name, changed);
      return ok(changed);
    },
  };
}

async function openSettings(t: { after(end: () => unknown): void }) {
  const stored = new Map([
    ['upstream', settingOf('upstream', true, ['9.9.9.9'])],
    ['cache-size', settingOf('cache-size', false, ['10'])],
  ]);
  const api = await openApi(t, operatorSettingOperations, { settings: settingsOf(stored) });
  const home = await api.account('home');
  const update = (setting_name: string, ...values: string[]) =>
    api.call('updateOperatorSetting', home, { params: { setting_name }, body: { values } });
  const valuesOf = (name: string) => stored.get(name)?.values;
  return { ...api, home, update, valuesOf };
}

test('the operator sees all settings', async (t) => {
  const { done, home } = await openSettings(t);
  const { reply } = await done('listOperatorSettings', home);
  assert.deepEqual(
    reply.map(({ name, values }: { name: string; values: string[] }) => [name, values]),
    [
      ['upstream', ['9.9.9.9']],
      ['cache-size', ['10']],
    ],
  );
});

test('a change returns the new state and is audited with both values', async (t) => {
  const { update } = await openSettings(t);
  const changed = await update('upstream', '1.1.1.1', '8.8.8.8');
  assert.ok(changed.ok);
  assert.deepEqual([changed.value.reply.values, changed.value.reply.source], [['1.1.1.1', '8.8.8.8'], 'stored']);
  assert.deepEqual(changed.value.audit, {
    action: 'system.setting',
    subject: 'upstream',
    before: { values: ['9.9.9.9'] },
    after: { values: ['1.1.1.1', '8.8.8.8'] },
  });
});

test('a list may be empty; any other setting has exactly one value', async (t) => {
  const { update, valuesOf } = await openSettings(t);
  assert.ok((await update('upstream')).ok);
  assert.ok((await update('cache-size', '20')).ok);
  const message = 'must have exactly one value';
  const error = { kind: 'invalid', errors: [{ field: 'values', kind: 'wrong value', message }] };
  assert.deepEqual(await update('cache-size'), { ok: false, error });
  assert.deepEqual(await update('cache-size', '30', '40'), { ok: false, error });
  assert.deepEqual(valuesOf('cache-size'), ['20']);
});

test('a reset restores the default, also of a setting with one value', async (t) => {
  const { done, home } = await openSettings(t);
  const { reply, audit } = await done('resetOperatorSetting', home, { params: { setting_name: 'cache-size' } });
  assert.deepEqual([reply.values, reply.source], [[], 'default']);
  assert.deepEqual([audit?.before, audit?.after], [{ values: ['10'] }, { values: [] }]);
});

test('a rejected value is an error of the field, and an unknown setting is not found', async (t) => {
  const { update } = await openSettings(t);
  const errors = [{ field: 'values', kind: 'wrong value', message: 'must be good' }];
  assert.deepEqual(await update('upstream', 'bad'), { ok: false, error: { kind: 'invalid', errors } });
  assert.deepEqual(await update('other', 'x'), { ok: false, error: { kind: 'not found', what: 'setting' } });
});

test('users other than the operator neither read nor change settings', async (t) => {
  const { account, call, valuesOf } = await openSettings(t);
  const other = await account('other');
  const input = { params: { setting_name: 'upstream' }, body: { values: ['1.1.1.1'] } };
  for (const operation of ['listOperatorSettings', 'updateOperatorSetting', 'resetOperatorSetting']) {
    const result = await call(operation, other, input);
    assert.equal(!result.ok && result.error.kind, 'forbidden', operation);
  }
  assert.deepEqual(valuesOf('upstream'), ['9.9.9.9']);
});

test('every operation needs a session: an API key is not enough', () => {
  for (const { operationId, handler } of operatorSettingOperations)
    assert.equal(handler.kind !== 'public' && handler.requires, 'self', operationId);
});
