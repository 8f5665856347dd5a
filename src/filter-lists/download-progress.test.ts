import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DownloadProgress, sumProgress } from './download-progress.ts';

test('the progress of several sources is summed and reported at most four times a second', () => {
  const reports: DownloadProgress[] = [];
  let now = 0;
  const note = sumProgress(
    (progress) => reports.push(progress),
    () => now,
  );
  note({ index: 0, receivedBytes: 10, totalBytes: 100 });
  now = 249;
  note({ index: 0, receivedBytes: 20, totalBytes: 100 });
  now = 250;
  note({ index: 1, receivedBytes: 5, totalBytes: 50 });
  now = 500;
  note({ index: 2, receivedBytes: 7 });
  assert.deepEqual(reports, [
    { receivedBytes: 10, totalBytes: 100 },
    { receivedBytes: 25, totalBytes: 150 },
    { receivedBytes: 32, totalBytes: undefined },
  ]);
});
