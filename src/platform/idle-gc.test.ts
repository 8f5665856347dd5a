import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { releasePages } from './idle-gc.ts';
import { libc } from './libc.ts';

const child = fileURLToPath(new URL('../../test/support/platform/idle-gc-child.ts', import.meta.url));
const memoryOf = async (
  flags: readonly string[],
  words: readonly string[] = [],
): Promise<{ busy: number; now: number; kept: number }> =>
  JSON.parse((await promisify(execFile)(process.execPath, [...flags, child, ...words])).stdout);

test('an idle thread releases unused memory, and keeps used memory', async () => {
  const { busy, now, kept } = await memoryOf(['--expose-gc']);
  assert.ok(busy - now >= 20e6, `${busy} ${now}`);
  assert.equal(kept, 100);
});

test('a thread that repeatedly waits for a lock is idle, too', async () => {
  const { busy, now } = await memoryOf(['--expose-gc'], ['blocked']);
  assert.ok(busy - now >= 20e6, `${busy} ${now}`);
});

test('a thread releases unused shared memory, even with few objects, and a large amount without waiting for idle time', async () => {
  for (const how of [['shared'], ['shared', 'busy']]) {
    const { busy, now } = await memoryOf(['--expose-gc'], how);
    assert.ok(busy - now >= 20e6, `${how.join(' and ')}: ${busy} ${now}`);
  }
});

test('without --expose-gc nothing happens', async () => {
  assert.equal((await memoryOf([])).kept, 100);
});

const usesLibc = typeof libc() !== 'string';

test('pages of shared memory are returned to the system, without those that they share with others', {
  skip: !usesLibc,
}, () => {
  const residentKiB = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  const memory = new Uint8Array(new SharedArrayBuffer(64 * 2 ** 20)).fill(1);
  const before = residentKiB();
  releasePages(memory.subarray(2 ** 20));
  assert.ok(before - residentKiB() > 60 * 1024, `${before} ${residentKiB()}`);
  assert.ok(memory.subarray(0, 2 ** 20).every((byte) => byte === 1));
  assert.equal(memory[32 * 2 ** 20], 0);
});
