import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../domain/ids.ts';
import { commitNotices } from './commit-notices.ts';
import type { ChangedAccounts } from './database.ts';

const anna = new Set(['anna' as AccountId]);

test('each listener is told, and telling is over when all are done', async () => {
  const { listen, tell } = commitNotices();
  const heard: string[] = [];
  listen(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    heard.push('slow');
  });
  listen(() => void heard.push('fast'));
  await tell(anna);
  assert.deepEqual(heard, ['fast', 'slow']);
});

test('a listener that fails harms nobody and is told of everything until it succeeds', async () => {
  const { listen, tell } = commitNotices(5);
  const heard: ChangedAccounts[] = [];
  let fine = 0;
  const succeeded = new Promise<void>((resolve) => {
    listen((changed) => {
      heard.push(changed);
      if (heard.length < 3) throw new Error('not now');
      resolve();
    });
  });
  listen(() => void fine++);
  await tell(anna);
  // Holds the process: the timers of the notices do not.
  const hold = setInterval(() => {}, 1000);
  await succeeded;
  clearInterval(hold);
  assert.deepEqual(heard, [anna, 'all', 'all']);
  assert.equal(fine, 1);
});

test('who has left hears nothing more, also of what failed before', async () => {
  const { listen, tell } = commitNotices(5);
  let told = 0;
  const leave = listen(() => {
    told++;
    throw new Error('not now');
  });
  await tell(anna);
  leave();
  await tell(anna);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(told, 1);
});
