import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decider, inWords, profileOf, queryFor, tableFromText } from '../../../test/support/engine/lists.ts';
import { slow } from '../../../test/support/kit/slow.ts';
import { buildTable } from '../build/build-table.ts';
import { openTable } from '../list-table.ts';
import { composeProfile } from './profile.ts';

test('tables are evaluated in the order of sources, independent of the given order', () => {
  const profile = profileOf({
    adult: '||a.com^',
    'blocked services': '||a.com^',
    'user rules': '||a.com^',
    'filter lists': ['||a.com^', '||b.com^'],
  });
  assert.deepEqual(
    profile.tables.map(({ table }) => table.id),
    ['user rules 1', 'filter lists 1', 'filter lists 2', 'blocked services 1', 'adult 1'],
  );
  assert.deepEqual(
    profile.stages.map(({ from, to }) => [from, to]),
    [
      [0, 1],
      [1, 4],
      [4, 5],
    ],
  );
  const { tables, stages } = profile.forAnswers;
  assert.deepEqual({ tables, stages }, { tables: 4, stages: 2 });
});

test('tables with different secrets cannot be combined', () => {
  const text = new TextEncoder().encode('||a.com^');
  const other = openTable('other', buildTable(text, { secret: new Uint8Array(8) }).buffer);
  assert.throws(
    () => composeProfile([{ source: 'adult', tables: [tableFromText({ id: 'one', text: '||a.com^' }), other] }]),
    /different secrets/,
  );
});

test('replacing a list creates a new profile and does not change the old one', () => {
  const own = tableFromText({ id: 'own', text: '@@||good.a.com^' });
  const compose = (text: string) =>
    composeProfile([
      { source: 'user rules', tables: [own] },
      { source: 'filter lists', tables: [tableFromText({ id: 'list', text })] },
    ]);
  const [before, after] = [compose('||a.com^'), compose('||b.com^')];
  const ask = (name: string, profile: typeof before): string => inWords(decider.decide(queryFor({ name }), profile));
  assert.deepEqual([ask('a.com', before), ask('a.com', after)], ['block ||a.com^', 'pass']);
  assert.deepEqual([ask('a.com', before), ask('a.com', after)], ['block ||a.com^', 'pass'], 'what is remembered too');
  assert.deepEqual(
    [ask('good.a.com', before), ask('good.a.com', after)],
    ['allow @@||good.a.com^', 'allow @@||good.a.com^'],
  );
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a thousand profiles over shared tables cost kilobytes each', slow, () => {
  const shared = Array.from({ length: 20 }, (_, nth) =>
    tableFromText({ id: `list ${nth}`, text: `||a${nth}.com^\n||ad*s${nth}.com^` }),
  );
  const before = memoryInUse();
  const profiles = Array.from({ length: 1000 }, (_, nth) =>
    composeProfile([
      { source: 'user rules', tables: [tableFromText({ id: `own ${nth}`, text: `||own${nth}.com^` })] },
      { source: 'filter lists', tables: shared.slice(nth % 5) },
    ]),
  );
  const each = (memoryInUse() - before) / profiles.length;
  assert.ok(each < 10 * 1024, `${each} bytes a profile`);
});
