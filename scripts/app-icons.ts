// Renders the icons of the installed web app from the logo. Run it after a change of web/shell/logo.svg.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const shell = fileURLToPath(new URL('../web/shell/', import.meta.url));
const logo = readFileSync(`${shell}logo.svg`, 'utf8');
// Launchers crop maskable icons to different shapes: fill the background and keep the logo in the centre.
const maskable = logo
  .replace('rx="7"', '')
  .replace(/(<rect[^>]*>)/, '$1<g transform="translate(16 16) scale(.85) translate(-16 -16)">')
  .replace('</svg>', '</g></svg>');

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox'] });
const page = await browser.newPage();
for (const [name, size, picture] of [
  ['icon-192', 192, logo],
  ['icon-512', 512, logo],
  ['icon-maskable', 512, maskable],
] as const) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${picture}`);
  await page.screenshot({ path: `${shell}icons/${name}.png`, omitBackground: true });
}
await browser.close();
