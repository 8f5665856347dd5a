import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { groupOf, isKnown, isKnownGroup } from './audit-actions.ts';

test('every action that the service writes to the audit log has a text, and so has its group', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  const texts = files.map((path) => readFileSync(`src/${path}`, 'utf8'));
  const written = texts.flatMap((text) =>
    Array.from(text.matchAll(/action: '([a-z_]+\.[a-z_]+)'/g), ([, name]) => name!),
  );
  assert.ok(written.length > 50, `only ${written.length} actions found`);
  assert.deepEqual(
    written.filter((name) => !isKnown(name) || !isKnownGroup(groupOf(name))),
    [],
  );
});
