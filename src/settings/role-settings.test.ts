import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings.ts';

const read = (...words: string[]) => readSettings({ words, env: {}, cwd: '/srv' });

async function settingsOf(...words: string[]) {
  const result = await read(...words);
  return result.ok ? result.value.settings : assert.fail(result.error.join('\n'));
}

async function problemsOf(...words: string[]): Promise<readonly string[]> {
  const result = await read(...words);
  return result.ok ? assert.fail('nothing is wrong') : result.error;
}

const database = ['--database', 'postgres://db.example/weir'];

test('a role switches off what the node does not do', async () => {
  for (const role of ['api', 'compile']) {
    const { dns, dot, doh, webOnDoh } = await settingsOf('--role', role);
    assert.deepEqual([dns, dot, doh, webOnDoh], ['off', 'off', 'off', 'off']);
  }
  const { dns, webOnDoh } = await settingsOf('--role', 'dns', ...database);
  assert.deepEqual([dns, webOnDoh], [{ host: '::', port: 53 }, 'off']);
});

test('settings that do not fit the role are refused', async () => {
  assert.deepEqual(await problemsOf('--role', 'api', '--dns', ':53'), [
    'role: "api": an api node does not answer DNS; remove dns, dot and doh',
  ]);
  assert.deepEqual(await problemsOf('--role', 'compile', '--doh', ':443', ...database), [
    'role: "compile": a compile node does not answer DNS; remove dns, dot and doh',
    'role: "compile": a compile node has no accounts; remove database',
  ]);
  assert.deepEqual(
    await problemsOf(
      '--role',
      'dns',
      '--http',
      ':80',
      '--web-on-doh',
      'on',
      '--dns',
      'off',
      '--dot',
      'off',
      '--doh',
      'off',
    ),
    [
      'role: "dns": a dns node has no web interface and no management API; remove http (health and metrics are on admin)',
      'role: "dns": a dns node has no web interface; remove web-on-doh',
      'role: "dns": a dns node needs a listener; dns, dot and doh are off',
      'role: "dns": a dns node needs database, the PostgreSQL database of the nodes that manage the accounts, or controller',
    ],
  );
  assert.deepEqual(await problemsOf('--role', 'api', '--https-redirect', 'on'), [
    'https-redirect: "on" needs HTTPS: doh and web-on-doh must not be off',
  ]);
  assert.match((await problemsOf('--role', 'edge')).join(), /--role: "edge"/);
});
