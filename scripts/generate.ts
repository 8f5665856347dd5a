// Writes the files that are made from others; with --check only says which of them are stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

// Loaded one by one: what makes the second may itself read the first.
const files: readonly (readonly [path: string, make: () => Promise<string>])[] = [
  ['src/rules/public-suffixes.ts', async () => (await import('./public-suffixes.ts')).publicSuffixesSource()],
  ['src/compiler/lines/kernel-code.ts', async () => (await import('./kernels.ts')).kernelsSource()],
  [
    'docs/compiler-configuration.schema.json',
    async () => (await import('./configuration-schema.ts')).configurationSchema(),
  ],
];

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
