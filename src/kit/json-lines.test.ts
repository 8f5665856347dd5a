import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { jsonLine, textLines } from './json-lines.ts';

async function linesOf(text: string, chunkBytes: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  })();
  return Array.fromAsync(textLines(chunks));
}

test('lines end with LF or CRLF only, for any chunks', async () => {
  const text = 'a\n\nb\r\n{"x":"\u2028 \u2029 \u0085"}\nbücher 😀\nlast';
  const lines = ['a', '', 'b', '{"x":"\u2028 \u2029 \u0085"}', 'bücher 😀', 'last'];
  for (const chunkBytes of [1, 2, 3, 7, 1000])
    assert.deepEqual(await linesOf(text, chunkBytes), lines, `${chunkBytes}`);
});

test('the end of the last line does not begin another one', async () => {
  assert.deepEqual(await linesOf('a\n', 10), ['a']);
  assert.deepEqual(await linesOf('\n', 10), ['']);
  assert.deepEqual(await linesOf('', 10), []);
});

test('an error of the source ends the lines with it', async () => {
  const failing = (async function* () {
    yield Buffer.from('a\nb');
    throw new Error('lost');
  })();
  const seen: string[] = [];
  const read = async () => {
    for await (const line of textLines(failing)) seen.push(line);
  };
  await assert.rejects(read(), /lost/);
  assert.deepEqual(seen, ['a']);
});

test('JSON with separators of lines and paragraphs is one line for node:readline', async () => {
  const value = { text: '\u2028 \u2029 \n ü' };
  const lines = await Array.fromAsync(createInterface(Readable.from([`${jsonLine(value)}\n${jsonLine(1)}\n`])));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [value, 1],
  );
});
