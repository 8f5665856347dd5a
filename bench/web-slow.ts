import type { Page } from 'playwright-core';
import { SIGNED_IN_KEY } from '../web/shell/stored-keys.ts';
import type { Bar } from './bars.ts';
import { middleOf, SLOWER, type Visitor, whenSet } from './web-visitor.ts';

const BITS_PER_SECOND = 400_000;
const LATENCY_MS = 300;
const MAX_MEANINGFUL_MS = 3000;

const pages = [
  { path: '/sign-in', complete: 'main input[type=password]' },
  { path: '/', complete: 'main canvas' },
  { path: '/log', complete: 'main [data-index]' },
];

/** Meaningful: the title of the page is shown, in the language of the user. Complete: the page can be used and has its data. */
const watch = (complete: string): string => `
  localStorage.setItem('${SIGNED_IN_KEY}', 'yes');
  globalThis.titleAt = 0;
  globalThis.completeAt = 0;
  const look = () => {
    const title = document.querySelector('.outline-title[data-text], main h1');
    if (titleAt === 0 && title !== null && title.getBoundingClientRect().height > 0) titleAt = performance.now();
    if (document.querySelector(${JSON.stringify(complete)}) !== null) completeAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

/** A slow connection and a slow processor, with an empty browser cache. */
export async function measureSlow(visitor: Visitor, runs: number): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  for (const { path, complete } of pages) {
    const times: Times[] = [];
    for (let run = 0; run < runs; run++) times.push(await visitor((page) => openSlowly(page, path, complete)));
    const meaningful = middleOf(times.map(({ titleMs }) => titleMs));
    bars.push({
      what: `${path} at ${BITS_PER_SECOND / 1000} kbit/s, processor ${SLOWER} times slower: title (at most ${MAX_MEANINGFUL_MS} ms)`,
      figure: `${meaningful.toFixed(0)} ms; complete ${middleOf(times.map(({ completeMs }) => completeMs)).toFixed(0)} ms`,
      met: meaningful <= MAX_MEANINGFUL_MS,
    });
  }
  return bars;
}

type Times = { readonly titleMs: number; readonly completeMs: number };

async function openSlowly(page: Page, path: string, complete: string): Promise<Times> {
  await page.addInitScript(watch(complete));
  const session = await page.context().newCDPSession(page);
  const throughput = BITS_PER_SECOND / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(path, { waitUntil: 'commit' });
  const completeMs = await whenSet(page, 'completeAt');
  const paintMs = Number(
    await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity`),
  );
  return { titleMs: Math.max(paintMs, await whenSet(page, 'titleAt')), completeMs };
}
