import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slow } from '../../../test/support/kit/slow.ts';
import { types } from '../../dns/numbers.ts';
import { openCatalogue } from '../../domain/catalogue/catalogue.ts';
import { createDecider } from '../../engine/match/decide.ts';
import { composeProfile } from '../../engine/match/profile.ts';
import { ruleText } from '../../engine/rule-text.ts';
import { wireName } from '../../kit/wire-name.ts';
import { createServiceTables } from './service-tables.ts';
import { ruleOfTable } from './table-from-rules.ts';

const secret = Uint8Array.of(1, 1, 2, 3, 5, 8, 13, 21);
const services = new Map([
  ['video', { domains: ['video.example', 'cdn.example'] }],
  ['chat', { domains: ['chat.example', 'cdn.example'] }],
]);
const tables = createServiceTables(services, secret, 'blocked_service');
const decider = createDecider(secret);

/** The service whose rules block a name. */
function blockedFor(ids: readonly string[], name: string, from = tables): string | undefined {
  const table = from.table(ids);
  if (!table) return undefined;
  const profile = composeProfile([{ source: 'blocked services', tables: [table] }]);
  const query = { name: wireName(name)!, at: 0, type: types.A };
  const rule = ruleText(decider.decide(query, profile), (list, slot) => ruleOfTable(list, slot)!);
  return rule === undefined ? undefined : from.serviceOf(ids, rule);
}

test('a blocked service is blocked with everything below its domains, and is named', () => {
  assert.equal(blockedFor(['chat', 'video'], 'www.chat.example'), 'chat');
  assert.equal(blockedFor(['chat', 'video'], 'video.example'), 'video');
  assert.equal(blockedFor(['chat'], 'video.example'), undefined);
  assert.equal(blockedFor(['chat'], 'notchat.example'), undefined);
});

test('a domain of two services is blocked for one that is blocked', () => {
  assert.equal(blockedFor(['video'], 'cdn.example'), 'video');
  assert.equal(blockedFor(['chat'], 'cdn.example'), 'chat');
});

test('profiles that block the same services share one table, in any order', () => {
  assert.equal(tables.table(['chat', 'video']), tables.table(['video', 'chat', 'chat']));
});

test('unknown services need no table', () => {
  assert.equal(tables.table([]), undefined);
  assert.equal(tables.table(['unknown']), undefined);
});

test('every domain of every service of the catalogue is blocked for its service', slow, () => {
  const catalogue = openCatalogue();
  assert.ok(catalogue.ok);
  const all = catalogue.value.services;
  const from = createServiceTables(all, secret, 'blocked_service');
  for (const [id, { domains }] of all)
    for (const domain of domains) assert.equal(blockedFor([id], domain, from), id, domain);
  assert.ok(from.table([...all.keys()]));
});
