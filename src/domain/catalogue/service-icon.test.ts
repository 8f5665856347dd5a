import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInlineSvg } from '../../../test/support/domain/inline-svg.ts';
import { monogram, pathIcon } from './service-icon.ts';

test('an icon is one path in the colour of the text', () => {
  assert.equal(
    pathIcon('M0 0h24'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor"><path d="M0 0h24"/></svg>',
  );
});

test('every letter and digit can be drawn, and stays inside the picture', () => {
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
    const svg = monogram(`${letter} ${letter}`, 'id');
    assertInlineSvg(svg);
    const strokes = /z(.*)"\/>/
      .exec(svg)![1]!
      .match(/[\d.]+/g)!
      .map(Number);
    assert.ok(
      strokes.every((place) => place >= 4 && place <= 20),
      `${letter}: ${strokes.join(' ')}`,
    );
  }
});

test('a monogram shows the first letters of the first two words', () => {
  assert.equal(monogram('Riot Games', 'x'), monogram('rust goes on', 'y'));
  assert.notEqual(monogram('Riot Games', 'x'), monogram('Games Riot', 'x'));
  assert.notEqual(monogram('Riot', 'x'), monogram('Riot Games', 'x'));
});

test('marks on letters do not matter', () => {
  assert.equal(monogram('Škoda', 'x'), monogram('Skoda', 'x'));
});

test('a name without letters that can be drawn is shown by its id', () => {
  assert.equal(monogram('微博', 'weibo'), monogram('Weibo', 'x'));
});

test('nothing of a name gets into the picture', () => {
  assertInlineSvg(monogram('<script> "&', 'x'));
});
