import type { Page } from 'playwright-core';
import type { Bar } from './bars.ts';
import { middleOf, type Visitor, whenSet } from './web-visitor.ts';

export const DEVICES = 10_000;
const MAX_PAINT_MS = 1500;
const MAX_ELEMENTS = 3000;

const watchRows = `
  globalThis.rowAt = 0;
  const look = () => {
    if (document.querySelector('main a[href^="/devices/"]') !== null) globalThis.rowAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

/** The page of devices with many of them, with an empty browser cache: the first rows, and elements. */
export async function measureDevices(visitor: Visitor, runs: number): Promise<readonly Bar[]> {
  const opened: Opened[] = [];
  for (let run = 0; run < runs; run++) opened.push(await visitor(openDevices));
  const paint = middleOf(opened.map(({ rowMs }) => rowMs));
  const elements = Math.max(...opened.map((each) => each.elements));
  return [
    {
      what: `${DEVICES} devices (first rows at most ${MAX_PAINT_MS} ms, elements at most ${MAX_ELEMENTS})`,
      figure: `${paint.toFixed(0)} ms; ${elements} elements`,
      met: paint <= MAX_PAINT_MS && elements <= MAX_ELEMENTS,
    },
  ];
}

type Opened = { readonly rowMs: number; readonly elements: number };

async function openDevices(page: Page): Promise<Opened> {
  await page.addInitScript(watchRows);
  await page.goto('/devices', { waitUntil: 'commit' });
  const rowMs = await whenSet(page, 'rowAt');
  await page.waitForLoadState('networkidle');
  return { rowMs, elements: Number(await page.evaluate(`document.querySelectorAll('*').length`)) };
}
