import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aRecord, NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import type { LogQuery } from '../../domain/log-query.ts';
import { LogError } from '../log-store.ts';
import { openLogInThread } from './log-client.ts';

const DAY = 86_400_000;
const everything: LogQuery = { from: 0, to: NOW + DAY, limit: 1000 };
const failing = (problem: unknown): never => {
  throw problem;
};

test('the log in a thread has the same results as the log', async (t) => {
  const folder = await temporaryFolder(t);
  const log = openLogInThread(folder, failing);
  const time = Date.now() - 1000;
  await Promise.all(
    Array.from({ length: 20 }, (_, type) => log.append([aRecord({ time, type }), aRecord({ time: 5 })])),
  );
  const range = { from: time - DAY, to: time + DAY };
  assert.equal((await log.page('home', { ...everything, ...range })).items.length, 20);
  assert.deepEqual(await log.statistics.companies('home', range), [
    { companyId: 'example', value: { queries: 20, blocked: 0, companies: 1 } },
  ]);
  assert.equal((await log.statistics.companiesDetailed('home', { ...range, limit: 5 })).items.length, 1);
  await log.applyRetention((account) => (account === 'home' ? 6 : 0));
  assert.equal((await log.page('home', { ...everything, to: 10 })).items.length, 0);
  assert.equal(await log.requestsSince('home', time - DAY), 20);
  await log.deleteAccount('home');
  assert.equal(await log.requestsSince('home', 0), 0);
  await log.close();
});

test('clearing in a thread also removes pending rows', async (t) => {
  const log = openLogInThread(await temporaryFolder(t), failing);
  const appending = Array.from({ length: 10 }, () => log.append([aRecord()]));
  await log.clear('home');
  assert.equal((await log.page('home', everything)).items.length, 0);
  await Promise.all(appending);
  await log.close();
});

test('closing waits for appended rows, and later appends are rejected', async (t) => {
  const folder = await temporaryFolder(t);
  const log = openLogInThread(folder, failing);
  const appending = Array.from({ length: 10 }, () => log.append([aRecord()]));
  await log.close();
  await Promise.all(appending);
  await assert.rejects(log.append([aRecord()]), (error) => error instanceof LogError && error.kind === 'closed');
  const again = openLogInThread(folder, failing);
  assert.equal((await again.page('home', everything)).items.length, 10);
  await again.close();
});

test('if the log cannot be opened, every call fails and the next one retries', async (t) => {
  const folder = await temporaryFolder(t);
  const place = join(folder, 'log');
  writeFileSync(place, 'a file where the folder should be');
  const log = openLogInThread(place, failing);
  await assert.rejects(log.append([aRecord()]));
  await assert.rejects(log.page('home', everything));
  rmSync(place);
  await assert.doesNotReject(untilItWorks(() => log.append([aRecord()])));
  await log.close();
});

/** The failed thread may still be running. */
async function untilItWorks(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return work();
}
