import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const child = fileURLToPath(new URL('../../test/support/platform/idle-gc-child.ts', import.meta.url));
const memoryOf = async (
  flags: readonly string[],
  words: readonly string[] = [],
): Promise<{ busy: number; now: number; kept: number }> =>
  JSON.parse((await promisify(execFile)(process.execPath, [...flags, child, ...words])).stdout);

test('a thread that is idle gives back what it does not need any more, and keeps what it needs', async () => {
  const { busy, now, kept } = await memoryOf(['--expose-gc']);
  assert.ok(busy - now >= 20e6, `${busy} ${now}`);
  assert.equal(kept, 100);
});

test('a thread that waits for a lock again and again is idle, too', async () => {
  const { busy, now } = await memoryOf(['--expose-gc'], ['blocked']);
  assert.ok(busy - now >= 20e6, `${busy} ${now}`);
});

test('a thread gives back shared memory that it needs no more, though its own objects are few, and much of it without waiting', async () => {
  for (const how of [['shared'], ['shared', 'busy']]) {
    const { busy, now } = await memoryOf(['--expose-gc'], how);
    assert.ok(busy - now >= 20e6, `${how.join(' and ')}: ${busy} ${now}`);
  }
});

test('without the means to do so it goes on as it is', async () => {
  assert.equal((await memoryOf([])).kept, 100);
});
