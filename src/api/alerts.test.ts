import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { alertOperations } from './alerts.ts';
import { deviceOperations } from './devices.ts';

test('alerts are about the lists and devices of the account', async (t) => {
  const failed = (id: string) => ({
    id,
    isLoaded: false,
    isBuiltIn: false,
    rules: 0,
    ignored: 0,
    invalid: 0,
    fetchedAt: undefined,
    checkedAt: undefined,
    problem: { why: 'not found', since: 5 },
    changes: undefined,
    isHeldBack: false,
  });
  // The default settings use the first one.
  const listHealth = () => [failed('adguard_dns_filter'), failed('a list of another account')];
  const { account, done } = await openApi(t, [...alertOperations, ...deviceOperations], { listHealth });
  const [home, other] = [await account('home'), await account('other')];
  const body = { device_type: 'ANDROID', dns_server_id: home.server, name: 'Phone' };
  const { reply: device } = await done('createDevice', home, { body });
  const shown = async (caller: typeof home) =>
    (await done('listAlerts', caller)).reply.map(({ code, subject, name }: Record<string, string>) => [
      code,
      subject,
      name,
    ]);
  const list = ['list_failed', 'adguard_dns_filter', 'AdGuard DNS filter'];
  assert.deepEqual(await shown(home), [list, ['new_device', device.id, 'Phone']]);
  assert.deepEqual(await shown(other), [list]);
});
