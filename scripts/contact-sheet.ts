// Makes docs/pictures from the screenshots: one contact sheet per width and colour scheme, and the pictures of README.md.
// Usage: `npm run screenshots`, then `node scripts/contact-sheet.ts [FOLDER]`.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../test/support/web.ts';

const MAX_BYTES = 1_500_000;
const WIDTH = 1800;
const GAP = 12;
const QUALITY = 62;

const columns = { desk: 4, tablet: 6, phone: 9 } as const;
/** Height divided by width; longer pages are cropped at the bottom. */
const ratios = { desk: 0.68, tablet: 1.25, phone: 1.9 } as const;
const schemes = ['light', 'dark'] as const;
type Size = keyof typeof columns;

/** Pictures of README.md: screenshot and displayed size. They are rendered at twice that size for high-density screens. */
const single = [
  { from: 'dashboard-desk-light.png', to: 'dashboard.webp', size: 'desk', width: 840 },
  { from: 'log-desk-dark.png', to: 'query-log.webp', size: 'desk', width: 840 },
  { from: 'dashboard-phone-light.png', to: 'phone.webp', size: 'phone', width: 300 },
] as const;

const screenshots = resolve(process.argv[2] ?? '.cache/screenshots');
const target = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

const figure = (file: string, caption: string, width: number, ratio: number): string =>
  `<figure style="width:${width}px"><div style="width:${width}px;height:${Math.round(width * ratio)}px"><img src="${file}" width="${width}"></div><figcaption>${caption}</figcaption></figure>`;

const document = (width: number, figures: string): string => `<!doctype html><meta charset="utf-8"><style>
  body { display: flex; flex-wrap: wrap; gap: ${GAP}px; width: ${width}px; margin: 0; background: #868e96; font: 13px system-ui, sans-serif; }
  body:has(figure + figure) { box-sizing: border-box; padding: ${GAP}px; }
  figure { margin: 0; }
  figure > div { overflow: hidden; }
  figure img { display: block; }
  figcaption { padding-top: 3px; color: #fff; }
  figcaption:empty { display: none; }
</style>${figures}`;

/** Renders a document to a picture. The document is saved beside the screenshots because it refers to them by relative paths. */
async function draw(browser: Browser, html: string, width: number, to: string): Promise<number> {
  const file = join(screenshots, 'sheet.html');
  writeFileSync(file, html);
  const page = await browser.newPage({ viewport: { width, height: 100 } });
  try {
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    const height = Number(await page.evaluate('Math.ceil(document.body.getBoundingClientRect().height)'));
    const session = await page.context().newCDPSession(page);
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    const options = { format: 'webp', quality: QUALITY, captureBeyondViewport: true, clip } as const;
    const bytes = Buffer.from((await session.send('Page.captureScreenshot', options)).data, 'base64');
    writeFileSync(join(target, to), bytes);
    return bytes.length;
  } finally {
    await page.close();
    rmSync(file);
  }
}

function sheet(size: Size, scheme: string): string {
  const end = `-${size}-${scheme}.png`;
  const names = readdirSync(screenshots).filter((file) => file.endsWith(end));
  if (names.length === 0) throw new Error(`${screenshots} has no screenshots ${end}; run "npm run screenshots" first`);
  const width = Math.floor((WIDTH - GAP) / columns[size] - GAP);
  return document(WIDTH, names.map((file) => figure(file, file.slice(0, -end.length), width, ratios[size])).join(''));
}

const ends: (() => unknown)[] = [];
const browser = await startBrowser({ after: (end) => void ends.push(end) });
try {
  let bytes = 0;
  for (const size of Object.keys(columns) as Size[])
    for (const scheme of schemes) bytes += await draw(browser, sheet(size, scheme), WIDTH, `${size}-${scheme}.webp`);
  for (const { from, to, size, width } of single)
    bytes += await draw(browser, document(width, figure(from, '', width, ratios[size])), width, to);
  console.log(`${bytes} bytes in ${target}`);
  if (bytes > MAX_BYTES) throw new Error(`the pictures have ${bytes} bytes, more than ${MAX_BYTES}`);
} finally {
  for (const end of ends.reverse()) await end();
}
