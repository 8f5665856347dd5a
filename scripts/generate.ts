// Writes the generated files; with --check only lists those that are stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// Generators are loaded one after the other: a later one may import a file that an earlier one writes.
const files: readonly (readonly [path: string, make: () => Promise<string>])[] = [
  ['src/rules/public-suffixes.ts', async () => (await import('./public-suffixes.ts')).publicSuffixesSource()],
  ['src/domain/catalogue/service-icons.ts', async () => (await import('./service-icons.ts')).serviceIconsSource()],
  ['src/compiler/lines/kernel-code.ts', async () => (await import('./kernels.ts')).kernelsSource('kernels/index.ts')],
  ['src/engine/kernel-code.ts', async () => (await import('./kernels.ts')).kernelsSource('kernels/engine.ts')],
  ['src/client/operations.ts', async () => (await import('./client-types.ts')).clientTypesSource()],
  [
    'docs/compiler-configuration.schema.json',
    async () => asFile((await import('../src/compiler/configuration-schema.ts')).configurationSchema()),
  ],
  ['docs/weir.schema.json', async () => asFile((await import('./settings-docs.ts')).settingsSchema())],
  ['docs/configuration.md', async () => (await import('./settings-docs.ts')).configurationDocument()],
];

const asFile = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

const check = process.argv.includes('--check');
for (const [path, make] of files) {
  const url = new URL(`../${path}`, import.meta.url);
  const wanted = await make();
  if (existsSync(url) && readFileSync(url, 'utf8') === wanted) continue;
  if (check) {
    console.error(`${path} is stale: run "npm run fix"`);
    process.exitCode = 1;
  } else {
    writeFileSync(url, wanted);
  }
}
