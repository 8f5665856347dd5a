import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const web = skip ? ({} as Web) : await startWeb({ after });

type Manifest = { readonly start_url: string; readonly icons: { readonly src: string; readonly sizes: string }[] };

test('the interface can be installed, and opens and says so while the service is stopped', { skip }, async (t) => {
  const page = await web.stranger(t, { serviceWorkers: 'allow' }, /ERR_CONNECTION_REFUSED|unreachable/);
  await page.goto('/');
  await page.getByLabel('E-mail address').waitFor();
  const session = await page.context().newCDPSession(page);
  const { data = '', errors } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { start_url, icons } = JSON.parse(data) as Manifest;
  assert.equal(start_url, '/');
  assert.deepEqual(
    icons.map(({ sizes }) => sizes),
    ['192x192', '512x512', '512x512'],
  );
  for (const { src } of icons) assert.equal((await fetch(web.url + src)).headers.get('content-type'), 'image/png');

  const stored = (): Promise<string[]> =>
    page.evaluate(
      `(async () => {
        const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
        return requests.map(({ url }) => new URL(url).pathname);
      })()`,
    );
  const script = (await page.locator('script[type=module]').getAttribute('src'))!;
  await until('the stored files', async () => (await stored()).includes(script) || undefined);
  assert.deepEqual(
    (await stored()).filter((path) => path !== '/' && !path.startsWith('/assets/')),
    [],
  );

  assert.equal(await web.home.service.stop(), 0);
  await page.goto('/');
  await page.getByText('Can’t reach Weir').waitFor();
});
