import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containing } from './rows.ts';

test('a search text is literal: characters with a meaning in LIKE are escaped', () => {
  assert.equal(containing('Phone'), '%phone%');
  assert.equal(containing('100%_\\'), '%100\\%\\_\\\\%');
});
