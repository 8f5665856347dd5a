import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checked } from './list-jobs.ts';
import { logCheck } from './log-check.ts';

function logged(checked: Checked, before: { hasVersion: boolean; problemBefore: string | undefined }) {
  const entries: unknown[] = [];
  const note = (level: string) => (values: object, message: string) => void entries.push([level, values, message]);
  logCheck({ info: note('info'), warn: note('warn'), debug: note('debug') } as never, 'list', checked, before);
  return entries;
}

const failed: Checked = {
  kind: 'failed',
  why: 'HTTP 404: Not Found',
  details: 'https://ann:SECRET@lists.example/list.txt?token=SECRET is invalid: 404',
};

test('the log of a failed download has no secrets of its URL', () => {
  assert.deepEqual(logged(failed, { hasVersion: false, problemBefore: undefined }), [
    [
      'warn',
      { list: 'list', problem: failed.why, details: 'https://lists.example/list.txt?… is invalid: 404' },
      'failed to download a filter list',
    ],
  ]);
});

test('a persistent problem is a warning only once', () => {
  const again = logged(failed, { hasVersion: true, problemBefore: failed.why });
  assert.deepEqual((again[0] as unknown[])[0], 'debug');
  const recovered = logged({ kind: 'unchanged', seen: undefined }, { hasVersion: true, problemBefore: failed.why });
  assert.deepEqual(recovered, [['info', { list: 'list' }, 'filter list recovered']]);
  assert.deepEqual(logged({ kind: 'unchanged', seen: undefined }, { hasVersion: true, problemBefore: undefined }), []);
});
