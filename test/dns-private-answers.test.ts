import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { address, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const PRIVATE = '192.168.1.50';

const world = await startWorld({ after }, worldOf([address('rebound.example.com', PRIVATE)]));
const router = await startWorld({ after }, worldOf([address('nas.lan', PRIVATE)]));
const home = await makeHome(await startDns({ after }, world.address, ['--forward', `lan=${router.address}`]));
const { id } = await home.device('laptop');

test('names of a forwarded domain have private addresses', needs, async () => {
  for (const _ of ['fresh', 'cached']) {
    const { answer } = await home.dug(id, 'udp', 'nas.lan');
    assert.match(answer.join(), /192\.168\.1\.50$/);
  }
});

test('a private address for a public name is blocked, and the log and explain say why', needs, async () => {
  const { answer } = await home.dug(id, 'udp', 'rebound.example.com');
  assert.match(answer.join(), /0\.0\.0\.0$/);
  const [row] = await home.logged('rebound.example.com');
  assert.equal(row?.filtering_info.filtering_status, 'RESPONSE_BLOCKED');
  assert.equal(row?.filtering_info.filter_rule, 'rebinding protection');
  const explained = await home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, {
    name: 'rebound.example.com',
    device_id: id,
    answer: [PRIVATE],
  });
  assert.equal(explained.verdict.kind, 'pass');
  assert.deepEqual(explained.answer.verdict, { kind: 'block', rule: 'rebinding protection' });
});
