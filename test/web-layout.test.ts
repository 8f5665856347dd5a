import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { layoutProblems } from './support/layout-problems.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const widths = [1920, 1280, 1024, 820, 390];
const longName = 'W'.repeat(64);

const web = skip
  ? ({} as Web)
  : await startWeb({ after }, [], {
      queries: 2000,
      days: 2,
      furnish: async (home) => {
        await home.device(longName);
        await home.device('Phone');
      },
    });

const looks = [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'de-DE', colorScheme: 'dark' },
] as const;

for (const look of looks)
  test(`every page fits at every width, ${look.colorScheme}, ${look.locale}`, { skip }, async (t) => {
    const { server } = web.home;
    const devices = (await web.home.ask('GET', '/oapi/v1/devices')) as { id: string; name: string }[];
    const { id } = devices.find(({ name }) => name === longName)!;
    const sections = ['overview', 'lists', 'rules', 'services', 'safety', 'schedule', 'names', 'access', 'advanced'];
    const paths = [
      '/',
      '/log',
      '/statistics?by=devices',
      '/devices',
      `/devices/${id}`,
      `/devices/${id}/connect`,
      '/connect',
      '/profiles',
      ...sections.map((section) => `/profiles/${server}/${section}`),
      '/network',
      '/clients',
      '/local-names',
      '/compiler',
      '/account',
      '/system',
      '/nowhere',
    ];
    const page = await web.visit(t, '/', { ...look, viewport: { width: widths[0]!, height: 800 } });
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        found.push(...(await layoutProblems(page)).map((problem) => `${path} at ${width}: ${problem}`));
      }
      await assertAccessible(page);
      await page.setViewportSize({ width: widths[0]!, height: 800 });
    }
    assert.deepEqual(found, []);
  });
