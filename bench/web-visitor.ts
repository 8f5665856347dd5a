import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';

/** Factor of the slow processor. */
export const SLOWER = 4;
export const email = 'bench@example.org';
export const password = 'correct horse battery staple';

export type Visitor = <T>(look: (page: Page) => Promise<T>) => Promise<T>;

/** Every visit has a session and an empty browser cache. */
export async function visitorOf(browser: Browser, url: string): Promise<Visitor> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'session-in': 'cookie' },
    body: JSON.stringify({ email, password }),
  });
  const [name = '', value = ''] = answer.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? [];
  return async (look) => {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
      // A service worker would load files beside the page.
      serviceWorkers: 'block',
    });
    try {
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
      return await look(await context.newPage());
    } finally {
      await context.close();
    }
  };
}

const MAX_WAIT_MS = 60_000;

/** Time at which the page set a mark. */
export async function whenSet(page: Page, name: string): Promise<number> {
  for (const startedAt = performance.now(); performance.now() - startedAt < MAX_WAIT_MS; await setTimeout(50)) {
    const at = Number(await page.evaluate(`globalThis.${name} ?? 0`));
    if (at > 0) return at;
  }
  throw new Error(`${page.url()} has not come to ${name}`);
}

export const middleOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
