import { setTimeout as sleep } from 'node:timers/promises';
import { tidyWhenIdle } from './tidy-memory.ts';

/* Makes much, needs little of it, and says what the process has in memory then and after being idle for a while. */
const IDLE_MS = 5000;
const kept: object[] = [];
tidyWhenIdle();
let many: object[] = [];
for (let i = 0; i < 1_000_000; i++) {
  many.push({ number: i, list: [i] });
  if (i % 10_000 === 0) kept.push(many.at(-1)!);
}
const busy = process.memoryUsage().rss;
many = [];
await sleep(IDLE_MS);
console.log(JSON.stringify({ busy, now: process.memoryUsage().rss, kept: kept.length }));
