import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asciiBytesOf } from '../ascii-bytes.ts';
import { readRegex } from './regex.ts';
import { regexMatcher } from './regex-matcher.ts';
import {
  type AutomatonMemory,
  createAutomatonMemory,
  createHolder,
  createRunner,
  MAX_ACCOUNT_BYTES,
} from './regex-runner.ts';

const TABLE_BYTES = 240 * 1024;
const MAX_NAMES = 5000;

/** A table with one expression whose automaton grows with each new name. */
function table(account: string | undefined, memory: AutomatonMemory) {
  const read = readRegex('a[ab]{20}c');
  assert.ok(read.ok);
  const holder = createHolder(account);
  const matches = regexMatcher(read.value.code(), holder);
  const runner = createRunner(memory);
  return {
    holder,
    match: (name: string): boolean => matches(asciiBytesOf(name), runner),
    grow(bytes: number): void {
      for (let nth = 0; nth < MAX_NAMES && holder.bytes < bytes; nth++)
        matches(
          asciiBytesOf(
            Array.from({ length: 80 }, (_, at) => (((nth * 2654435761) >>> (at % 32)) & 1 ? 'a' : 'b')).join(''),
          ),
          runner,
        );
      assert.ok(holder.bytes >= bytes, `the automaton has ${holder.bytes} bytes`);
    },
  };
}

test('an account above its share loses its own least recently used table, and no other account loses any', () => {
  const memory = createAutomatonMemory();
  const quiet = table('quiet', memory);
  quiet.match('aab');
  const quietBytes = quiet.holder.bytes;
  assert.ok(quietBytes > 0);
  const flood = Array.from({ length: 12 }, () => table('flood', memory));
  for (const each of flood) {
    each.grow(TABLE_BYTES);
    assert.ok(memory.bytesOf('flood') <= MAX_ACCOUNT_BYTES);
  }
  assert.ok(memory.bytesOf('flood') > MAX_ACCOUNT_BYTES / 2);
  assert.equal(flood[0]!.holder.bytes, 0, 'the least recently used table is dropped');
  assert.ok(flood.at(-1)!.holder.bytes > 0, 'the latest table stays');
  assert.equal(quiet.holder.bytes, quietBytes);
  assert.equal(memory.bytesOf('quiet'), quietBytes);
});

test('a table that is used again is not the next to be dropped', () => {
  const memory = createAutomatonMemory(1000, 100, 60);
  const [first, second, third] = [createHolder('a'), createHolder('a'), createHolder('a')] as const;
  for (const holder of [first, second]) assert.ok(memory.take(holder, 45));
  memory.use(first);
  assert.ok(memory.take(third, 45));
  assert.deepEqual([first.bytes, second.bytes, third.bytes, memory.bytesOf('a')], [45, 0, 45, 90]);
});

test('after the rules of an account are removed its bytes are returned', () => {
  const memory = createAutomatonMemory();
  const [own, other] = [table('gone', memory), table('gone', memory)];
  const operator = table(undefined, memory);
  for (const each of [own, other, operator]) each.match('aab');
  memory.release(own.holder);
  assert.equal(memory.bytesOf('gone'), other.holder.bytes);
  memory.releaseAccount('gone');
  assert.deepEqual([memory.bytesOf('gone'), own.holder.bytes, other.holder.bytes], [0, 0, 0]);
  assert.equal(memory.bytes(), operator.holder.bytes);
  memory.release(operator.holder);
  assert.equal(memory.bytes(), 0);
  assert.equal(own.match(`${'a'.repeat(21)}c`), true, 'a released table still matches');
});

test('automata of an account that are unused are dropped after 30 seconds', () => {
  const memory = createAutomatonMemory();
  table('idle', memory).match('aab');
  memory.evict(29);
  assert.ok(memory.bytesOf('idle') > 0);
  memory.evict(31);
  assert.equal(memory.bytesOf('idle'), 0);
});
