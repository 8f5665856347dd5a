import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const document = readFileSync(join(root, 'docs/security.md'), 'utf8');
const rows = document.split('\n').filter((line) => /^\| P\d+ \|/.test(line));
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:test|src|bench)\/[\w/.-]+\.ts)`/g)].map(([, file]) => file!);

test('docs/security.md lists every promise once, in order', () => {
  const labels = rows.map((row) => row.split('|')[1]!.trim());
  assert.deepEqual(
    labels,
    Array.from({ length: 19 }, (_, at) => `P${at + 1}`),
  );
});

for (const row of rows) {
  const label = row.split('|')[1]!.trim();
  test(`the tests of ${label} exist and print its label`, () => {
    const files = filesIn(row);
    assert.ok(files.length > 0, `${label} names no test`);
    for (const file of files) {
      assert.ok(existsSync(join(root, file)), `${file} does not exist`);
      // A bench measures several promises; its file says which.
      assert.match(
        readFileSync(join(root, file), 'utf8'),
        new RegExp(`\\b${label}\\b`),
        `${file} does not name ${label}`,
      );
    }
  });
}

test('every attack names a test that exists', () => {
  const section = /^## Attacks\n([\s\S]*?)^## /m.exec(document)?.[1] ?? '';
  const attacks = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack '));
  assert.ok(attacks.length >= 12, `${attacks.length} attacks`);
  for (const row of attacks) {
    const tests = filesIn(row).filter((file) => file.endsWith('.test.ts'));
    assert.ok(tests.length > 0, `no test: ${row}`);
    for (const file of tests) assert.ok(existsSync(join(root, file)), `${file} does not exist`);
  }
});

test('every file that the document names exists', () => {
  for (const file of filesIn(document)) assert.ok(existsSync(join(root, file)), file);
});
