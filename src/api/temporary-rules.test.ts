import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { temporaryRuleOperations } from './temporary-rules.ts';

test('a rule is listed with the time that is left until it expires; the same rule again replaces its expiry', async (t) => {
  const { account, clock, done } = await openApi(t, temporaryRuleOperations);
  const home = await account('home');
  const params = { dns_server_id: home.server };
  const create = (minutes: number) =>
    done('createTemporaryRule', home, { params, body: { rule: '@@||example.org^', minutes } });
  const { reply } = await create(10);
  assert.equal(reply.seconds_left, 600);
  clock.now += 1500;
  const listed = async () =>
    (await done('listTemporaryRules', home, { params })).reply.map(
      (rule: { seconds_left: number }) => rule.seconds_left,
    );
  assert.deepEqual(await listed(), [599]);
  await create(1);
  assert.deepEqual(await listed(), [60]);
  clock.now += 60_000;
  assert.deepEqual(await listed(), []);
});

test('a comment, an invalid rule and a rule of another account are refused', async (t) => {
  const { account, call, done } = await openApi(t, temporaryRuleOperations);
  const [home, other] = [await account('home'), await account('other')];
  const params = { dns_server_id: home.server };
  for (const rule of ['# comment', '', '||example.org^$nonsense']) {
    const result = await call('createTemporaryRule', home, { params, body: { rule, minutes: 1 } });
    assert.ok(!result.ok && result.error.kind === 'invalid' && result.error.errors[0]!.field === 'rule', rule);
  }
  const body = { rule: '||example.org^', minutes: 1 };
  const { reply } = await done('createTemporaryRule', home, { params, body });
  const own = { ...params, temporary_rule_id: reply.id };
  for (const [operation, caller, input] of [
    ['removeTemporaryRule', other, { params: own }],
    ['createTemporaryRule', other, { params, body }],
    ['removeTemporaryRule', home, { params: { ...params, temporary_rule_id: 'missing' } }],
  ] as const) {
    const result = await call(operation, caller, input);
    assert.equal(!result.ok && result.error.kind, 'not found', operation);
  }
  await done('removeTemporaryRule', home, { params: own });
  assert.deepEqual((await done('listTemporaryRules', home, { params })).reply, []);
});
