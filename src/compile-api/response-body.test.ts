import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/kit/any-text.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { countLines, jsonOf, jsonPiece, pieces } from './response-body.ts';

const asJson = (list: Uint8Array): string =>
  Buffer.concat([Buffer.from('["'), ...[...pieces(list)].map(jsonPiece), Buffer.from('"]')]).toString();

test('a list becomes the JSON array of its lines', () => {
  const list = '!\n\n||a.com^\n"quoted" \\ back\ttab\u0001\u2028 реклама 😀\n';
  assert.deepEqual(JSON.parse(asJson(Buffer.from(list))), list.split('\n'));
});

test('any text is converted correctly, split at any position', slow, () => {
  fc.assert(
    fc.property(anyText(300), fc.nat(300), (text, at) => {
      const list = Buffer.from(text);
      const cut = [list.subarray(0, at), list.subarray(at)].map(jsonPiece);
      const json = Buffer.concat([Buffer.from('["'), ...cut, Buffer.from('"]')]).toString();
      assert.deepEqual(JSON.parse(json), list.toString().split('\n'));
      assert.equal(countLines(list), list.toString().split('\n').length);
    }),
  );
});

test('a large list comes in small pieces', () => {
  const list = Buffer.alloc(1_000_000, 'x\n');
  const all = [...pieces(list)];
  assert.ok(all.length > 10 && all.every((piece) => piece.length <= 65_536));
  assert.equal((JSON.parse(asJson(list)) as string[]).length, countLines(list));
});

test('a complete list equals its pieces, in separate memory', () => {
  const list = Buffer.alloc(200_000, 'a "b"\n');
  const whole = jsonOf(list);
  assert.equal(`["${Buffer.from(whole).toString()}"]`, asJson(list));
  assert.equal(whole.byteLength, whole.buffer.byteLength);
});
