import { setTimeout as sleep } from 'node:timers/promises';
import { collectWhenIdle, noteReleased } from '../../../src/platform/idle-gc.ts';

/*
 * Makes much, needs little of it, and says what the process has in memory then and after being idle for a while, or `blocked`, or `busy`. What it
 * makes is many objects, or one piece of `shared` memory.
 */
const is = (word: string): boolean => process.argv.includes(word);
const GIVEN_BACK = 20e6;
const SHARED_BYTES = 80e6;
const MOST_LOOKS = 120;
const LOOK_MS = 250;
const kept: object[] = [];

function newObjects(): object {
  const many = Array.from({ length: 400_000 }, (_, number) => ({ number, list: [number] }));
  kept.push(...many.filter(({ number }) => number % 4000 === 0));
  return many;
}

function newShared(): object {
  const memory = new Uint8Array(new SharedArrayBuffer(SHARED_BYTES)).fill(1);
  // Excludes young garbage, which is collected soon in any case.
  globalThis.gc?.();
  globalThis.gc?.();
  return memory;
}

collectWhenIdle({ quietLooks: 1 });
let made: object | undefined = is('shared') ? newShared() : newObjects();
const busy = process.memoryUsage().rss;
made = undefined;
if (is('shared')) noteReleased(SHARED_BYTES);
const nobody = new Int32Array(new SharedArrayBuffer(4));
for (let i = 0; globalThis.gc && i < MOST_LOOKS && busy - process.memoryUsage().rss < GIVEN_BACK; i++) {
  if (is('blocked')) Atomics.wait(nobody, 0, 0, LOOK_MS);
  for (const until = performance.now() + LOOK_MS; is('busy') && performance.now() < until; );
  await sleep(LOOK_MS);
}
console.log(JSON.stringify({ busy, now: process.memoryUsage().rss, kept: kept.length, made: made !== undefined }));
