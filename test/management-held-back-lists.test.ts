import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListHealth } from '../src/api/list-deps.ts';
import { managementDeps, startManagement } from './support/management.ts';

const health = (id: string, isHeldBack: boolean): ListHealth => ({
  id,
  isLoaded: true,
  isBuiltIn: false,
  rules: isHeldBack ? 100 : 2,
  ignored: 0,
  invalid: 0,
  changes: undefined,
  fetchedAt: 1000,
  checkedAt: 2000,
  problem: isHeldBack ? { why: 'it has shrunk by more than half', since: 3000 } : undefined,
  isHeldBack,
});

/** The API beside a list manager in which these lists are held back until they are accepted. */
async function startWithHeldBack(t: TestContext, ofOperator: string) {
  const accepted: string[] = [];
  const custom: string[] = [];
  const status = (id: string): ListHealth => health(id, !accepted.includes(id));
  const system = await managementDeps(Date.now).system();
  const management = await startManagement(t, {
    acceptList: async (id) => void accepted.push(id),
    listHealth: () => [ofOperator, ...custom].map(status),
    system: async () => ({
      ...system,
      dns: {
        areSettingsCurrent: true,
        accounts: 1,
        devices: 0,
        upstreams: [],
        lists: [status(ofOperator)],
        customLists: custom.length,
        cache: { entries: 0, bytes: 0 },
        udp: {},
        certificateEndsAt: undefined,
        certificates: [],
      },
    }),
  });
  return { ...management, accepted, custom };
}

test('the owner of a custom list accepts the version that is held back', async (t) => {
  const { ask, account, accepted, custom } = await startWithHeldBack(t, 'adguard_dns_filter');
  const as = await account('ann@example.org');
  const { json: list } = await ask('POST', '/api/v1/custom_lists', { as, json: { name: 'x', rules: '||a.example^' } });
  custom.push(list.id);
  const before = (await ask('GET', `/api/v1/custom_lists/${list.id}`, { as })).json;
  assert.deepEqual([before.is_held_back, before.rules_count], [true, 100]);
  const { status, json } = await ask('POST', `/api/v1/custom_lists/${list.id}/accept`, { as });
  assert.deepEqual([status, json.is_held_back, json.rules_count, json.problem], [200, false, 2, undefined]);
  assert.deepEqual(accepted, [list.id]);
  const { json: audit } = await ask('GET', '/api/v1/audit', { as });
  assert.deepEqual([audit.items[0].action, audit.items[0].subject], ['custom_list.accept', list.id]);

  const other = await account('bob@example.org');
  assert.equal((await ask('POST', `/api/v1/custom_lists/${list.id}/accept`, { as: other })).status, 404);
  assert.deepEqual(accepted, [list.id]);
});

test('only the operator accepts versions of other lists, and no custom list of an account', async (t) => {
  const { ask, account, accepted, custom } = await startWithHeldBack(t, 'adguard_dns_filter');
  const operator = await account('ann@example.org');
  const tenant = await account('bob@example.org');
  const { json: list } = await ask('POST', '/api/v1/custom_lists', {
    as: tenant,
    json: { name: 'x', rules: '||a.example^' },
  });
  custom.push(list.id);
  const accept = (id: string, as: string) => ask('POST', `/api/v1/system/lists/${id}/accept`, { as });
  assert.equal((await accept('adguard_dns_filter', tenant)).status, 403);
  assert.equal((await accept('unknown', operator)).status, 404);
  assert.equal((await accept(list.id, operator)).status, 404);
  assert.deepEqual(accepted, []);
  const { json: listHealth } = await ask('GET', '/api/v1/filter_lists/health', { as: tenant });
  const shown = listHealth.find((each: { filter_id: string }) => each.filter_id === 'adguard_dns_filter');
  assert.equal(shown.is_held_back, true);

  const { status, json } = await accept('adguard_dns_filter', operator);
  assert.deepEqual([status, json.filter_id, json.is_held_back], [200, 'adguard_dns_filter', false]);
  const { json: audit } = await ask('GET', '/api/v1/audit', { as: operator });
  assert.deepEqual([audit.items[0].action, audit.items[0].subject], ['system.accept_list', 'adguard_dns_filter']);
});
