import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { FIXTURE_NOW, fixtureRecords, unpackFixture } from '../../../test/support/query-log/format-fixtures.ts';
import { temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { damage } from '../../../test/support/query-log/tables.ts';
import type { LogBackend } from '../backends/log-backend.ts';
import { openSqliteBackend } from '../backends/sqlite-backend.ts';
import { createPendingCounts } from '../rollups/pending-counts.ts';
import { createRollupCache } from '../rollups/rollup-cache.ts';
import { flush } from './flush.ts';
import { upgradeInBackground } from './upgrade.ts';

/** A log of format 3 and its upgrade, which has ended when `finished` resolves. */
async function openOld(t: { after(end: () => unknown): void }, prepare: (folder: string) => void = () => {}) {
  const folder = await temporaryFolder(t);
  unpackFixture(3, folder);
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => void problems.push(problem);
  const opened = openSqliteBackend(folder, { now: () => FIXTURE_NOW, onProblem });
  t.after(() => opened.close());
  await opened.outdatedCount();
  prepare(folder);
  const events = new EventTarget();
  const [finished, upgraded] = [once(events, 'finished'), once(events, 'upgraded')];
  const backend: LogBackend = {
    ...opened,
    async finishUpgrade() {
      await opened.finishUpgrade();
      events.dispatchEvent(new Event('upgraded'));
    },
    async outdated(limit) {
      const found = await opened.outdated(limit);
      if (found.length === problems.length) queueMicrotask(() => events.dispatchEvent(new Event('finished')));
      return found;
    },
  };
  const context = { cache: createRollupCache(), pending: createPendingCounts(), onProblem };
  const upgrade = upgradeInBackground(backend, {
    onProblem,
    flush: (account) => opened.change([account], (change) => flush(change, account, context)),
  });
  return { backend: opened, upgrade, finished, upgraded, problems };
}

test('segments of an earlier format are rewritten, and their rows stay', async (t) => {
  const { backend, upgrade, upgraded, problems } = await openOld(t);
  await upgraded;
  await upgrade.stop();
  assert.equal(await backend.outdatedCount(), 0);
  assert.deepEqual(problems, []);
  let rows = 0;
  await backend.read(async (view) => {
    for await (const { meta } of view.segments('home', { from: 0, to: FIXTURE_NOW })) rows += meta.rows;
  });
  assert.equal(rows, fixtureRecords().flushed.length + 60);
});

test('a segment that cannot be read is reported once and stays for the next start', async (t) => {
  const { backend, upgrade, finished, problems } = await openOld(t, (folder) =>
    damage(folder, "UPDATE blocks SET spots = x'00' WHERE fresh IS NULL AND level > 0"),
  );
  await finished;
  await upgrade.stop();
  assert.ok(problems.length > 0);
  assert.equal(await backend.outdatedCount(), problems.length);
});

test('an upgrade can be stopped at any time', async (t) => {
  const { upgrade } = await openOld(t);
  await upgrade.stop();
  await upgrade.stop();
});
