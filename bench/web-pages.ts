import type { Page } from 'playwright-core';
import type { Bar } from './bars.ts';
import type { Visitor } from './web-visitor.ts';

/** Sum of the layout shifts of a page, without those that follow input. */
const MAX_SHIFT = 0.05;
const MAX_NODES = 3000;

const sections = ['overview', 'lists', 'rules', 'services', 'safety', 'schedule', 'names', 'access', 'advanced'];

/** Every page, with ids of the account. */
async function pathsOf(page: Page): Promise<string[]> {
  await page.goto('/');
  const first = async (path: string): Promise<string> =>
    String(await page.evaluate(`fetch('${path}').then((answer) => answer.json()).then(([{ id }]) => id)`));
  const device = await first('/oapi/v1/devices');
  const server = await first('/oapi/v1/dns_servers');
  return [
    '/sign-in',
    '/',
    '/statistics',
    '/log',
    '/profiles',
    ...sections.map((section) => `/profiles/${server}/${section}`),
    '/devices',
    `/devices/${device}`,
    `/devices/${device}/connect`,
    '/connect',
    '/clients',
    '/network',
    '/local-names',
    '/compiler',
    ...['', '/settings', '/members', '/keys', '/audit'].map((section) => `/account${section}`),
    '/system',
  ];
}

// The browser reports buffered entries to an observer that starts later.
const figures = `(async () => {
  const entriesOf = (type) => new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => { observer.disconnect(); resolve(list.getEntries()); });
    observer.observe({ type, buffered: true });
    setTimeout(() => resolve([]), 200);
  });
  const paints = await entriesOf('paint');
  const shifts = await entriesOf('layout-shift');
  const sources = shifts.flatMap(({ sources, value }) =>
    (sources ?? []).map(({ node }) => value.toFixed(3) + ' ' + (node?.className || node?.nodeName)));
  return {
    paintMs: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? NaN,
    shift: shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0),
    sources,
    nodes: document.querySelectorAll('*').length,
  };
})()`;

type Figures = { paintMs: number; shift: number; nodes: number; sources: readonly string[] };

/** First contentful paint, bytes as sent, layout shift and elements of every page, with an empty browser cache. */
export async function measurePages(visitor: Visitor): Promise<readonly Bar[]> {
  const paths = await visitor(pathsOf);
  const bars: Bar[] = [];
  for (const path of paths) bars.push(await visitor((page) => measurePage(page, path)));
  return bars;
}

async function measurePage(page: Page, path: string): Promise<Bar> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { paintMs, shift, nodes, sources } = (await page.evaluate(figures)) as Figures;
  const isStill = shift <= MAX_SHIFT;
  if (!isStill) console.log(`${path} moved: ${sources.join(', ')}`);
  return {
    what: `${path.replace(/[0-9a-f]{8,}/, 'ID')} (shift at most ${MAX_SHIFT}, elements at most ${MAX_NODES})`,
    figure: `paint ${paintMs.toFixed(0)} ms, ${bytes} bytes, shift ${shift.toFixed(3)}, ${nodes} elements`,
    met: paintMs > 0 && isStill && nodes <= MAX_NODES,
  };
}
