import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from '../engine/build/build-table.ts';
import { findSlot, openTable } from '../engine/list-table.ts';
import { createNameKeys, hashKey, readNameKeys } from '../engine/name-keys.ts';
import { wireName } from '../kit/wire-name.ts';
import { createRuleTexts } from './rule-texts.ts';

const secret = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
const NO_FILES = { text: '/nowhere/text', table: '/nowhere/table' };

/** The slot of a name's rule. */
function slotOf(buffer: SharedArrayBuffer, domain: string): number {
  const keys = createNameKeys();
  readNameKeys(hashKey(secret), wireName(domain)!, 0, keys);
  return findSlot(openTable('any', buffer), keys.high[keys.count]!, keys.low[keys.count]!);
}

const nameMarker = (labels: number): string => `<${labels}>`;

test('the text of a rule that is a suffix of the name is known without reading its list', () => {
  const { buffer } = buildTable(new TextEncoder().encode('||tracker.example^\n||ads.example.com^\n'), { secret });
  const texts = createRuleTexts(nameMarker);
  texts.use([{ number: 7, id: 'list', buffer, secret, lines: NO_FILES }]);
  const slot = slotOf(buffer, 'tracker.example');
  const forms = ['tracker.example', 'a.b.Tracker.Example'].map((name) => texts.rule(7, slot, wireName(name)!));
  assert.deepEqual(forms, ['||<2>^', '||<2>^']);
  // A name that led there by an alias is not the one in the slot, and the files are gone.
  assert.equal(texts.rule(7, slot, wireName('other.example')!), undefined);
});

test('a replaced list is known until no record can refer to it', () => {
  const { buffer } = buildTable(new TextEncoder().encode('||tracker.example^\n'), { secret });
  const list = { id: 'list', buffer, secret, lines: NO_FILES };
  const texts = createRuleTexts(nameMarker);
  texts.use([{ ...list, number: 1 }]);
  texts.use([{ ...list, number: 2 }]);
  assert.equal(texts.listId(1), 'list');
  texts.forgetReplaced();
  assert.deepEqual([texts.listId(1), texts.listId(2)], [undefined, 'list']);
  texts.close();
});
