import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { forwardRuleOperations } from './forward-rules.ts';

const rule = { domain: 'Corp.Example', upstreams: ['https://user:secret@dns.example/q?key=secret'] };

test('viewers do not see passwords and queries of upstreams', async (t) => {
  const { account, done } = await openApi(t, forwardRuleOperations);
  const home = await account('home');
  const { reply } = await done('createForwardRule', home, { body: rule });
  assert.equal(reply.domain, 'corp.example');
  const shown = async (role: 'owner' | 'viewer') =>
    JSON.stringify((await done('listForwardRules', { ...home, role })).reply);
  assert.ok((await shown('owner')).includes('secret'));
  assert.ok(!(await shown('viewer')).includes('secret'));
});

test('private upstreams may be named while there is one account', async (t) => {
  const allowed: boolean[] = [];
  const checkForwardUpstreams: Deps['checkForwardUpstreams'] = (upstreams, mayBePrivate) => {
    allowed.push(mayBePrivate);
    return ok(upstreams);
  };
  const { account, done } = await openApi(t, forwardRuleOperations, { checkForwardUpstreams, operator: 'nobody' });
  const home = await account('home');
  await done('createForwardRule', home, { body: rule });
  await account('other');
  await done('createForwardRule', home, { body: { ...rule, domain: 'b.example' } });
  assert.deepEqual(allowed, [true, false]);
  assert.equal((await done('listForwardRules', home)).reply.may_be_private, false);
});

test('rules of another account are not found, and a domain has one rule', async (t) => {
  const { account, call, done } = await openApi(t, forwardRuleOperations);
  const [home, other] = [await account('home'), await account('other')];
  const { reply } = await done('createForwardRule', home, { body: rule });
  const params = { forward_rule_id: reply.id };
  for (const operation of ['updateForwardRule', 'removeForwardRule'])
    assert.deepEqual(await call(operation, other, { params, body: rule }), {
      ok: false,
      error: { kind: 'not found', what: 'forwarding rule' },
    });
  assert.equal((await call('createForwardRule', home, { body: rule })).ok, false);
  await done('updateForwardRule', home, { params, body: rule });
  await done('createForwardRule', other, { body: rule });
  await done('removeForwardRule', home, { params });
  assert.deepEqual((await done('listForwardRules', home)).reply.forward_rules, []);
});
