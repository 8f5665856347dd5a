import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterScroll, drawnRows, type RowWindow, windowAtTop } from './fixed-rows.ts';

const seen = { topPx: 0, heightPx: 400, rowPx: 40 };
const top = windowAtTop(seen);
const at = (row: number) => ({ ...seen, topPx: row * seen.rowPx });
/** Where somebody is who came there slowly. */
const resting = (row: number): RowWindow => afterScroll(afterScroll(top, at(row)), at(row));
const indexes = (window: RowWindow, count = 1000) => drawnRows(window, count).map(({ index }) => index);
const slots = (window: RowWindow) => new Map(drawnRows(window, 1000).map(({ index, slot }) => [index, slot]));

test('what is on the screen is drawn, and some rows around it', () => {
  const drawn = indexes(resting(100));
  assert.deepEqual([drawn[0], drawn.length], [88, 31]);
  assert.ok(drawn.includes(94) && drawn.includes(116));
});

test('nothing is drawn anew while enough rows are drawn around what is seen', () => {
  const window = resting(94);
  assert.equal(afterScroll(window, { ...at(101), topPx: 101 * 40 + 39 }), window);
  assert.notEqual(afterScroll(window, at(102)), window);
});

test('after a short way, down or up, a row that is still drawn has the element that it had', () => {
  for (const to of [58, 42]) {
    const before = resting(50);
    const after = afterScroll(before, at(to));
    const [had, has] = [slots(before), slots(after)];
    const both = [...has.keys()].filter((index) => had.has(index));
    assert.equal(both.length, before.size - 8);
    for (const index of both) assert.equal(has.get(index), had.get(index));
    assert.equal(new Set(has.values()).size, before.size);
  }
});

test('whoever flies past sees every row, and no more are drawn; the others come when they rest', () => {
  const flying = afterScroll(resting(50), at(500));
  assert.deepEqual([indexes(flying)[0], flying.size], [500, 11]);
  const further = afterScroll(flying, at(600));
  assert.deepEqual([...slots(further).values()], [...slots(flying).values()]);
  assert.equal(indexes(afterScroll(further, at(600)))[0], 592);
});

test('the end of the list is the end, and a list may be shorter than the screen', () => {
  const window = resting(990);
  assert.deepEqual([indexes(window).at(-1), indexes(window).length], [999, window.size]);
  assert.deepEqual(indexes(window, 3), [0, 1, 2]);
  assert.deepEqual(indexes(top, 0), []);
});
