import { setTimeout as sleep } from 'node:timers/promises';
import { tidyWhenIdle } from './tidy-memory.ts';

/* Makes much, needs little of it, and says what the process has in memory then and after being idle, or `blocked`, for a while. */
const GIVEN_BACK = 20e6;
const MOST_LOOKS = 120;
const kept: object[] = [];
tidyWhenIdle();
let many: object[] = [];
for (let i = 0; i < 400_000; i++) {
  many.push({ number: i, list: [i] });
  if (i % 4000 === 0) kept.push(many.at(-1)!);
}
const busy = process.memoryUsage().rss;
many = [];
const nobody = new Int32Array(new SharedArrayBuffer(4));
for (let i = 0; globalThis.gc && i < MOST_LOOKS && busy - process.memoryUsage().rss < GIVEN_BACK; i++) {
  if (process.argv.includes('blocked')) Atomics.wait(nobody, 0, 0, 250);
  await sleep(250);
}
console.log(JSON.stringify({ busy, now: process.memoryUsage().rss, kept: kept.length }));
