import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ResultAbout } from '../../../src/compile-api/result-cache.ts';
import { openResultCache, type ResultCacheOptions } from '../../../src/compile-api/result-cache.ts';

export const HOUR = 3_600_000;
export const START = Date.parse('2026-01-02T03:04:05.678Z');

export const keyOf = (name: string): string => hash('sha256', `key of ${name}`);

/** A result as the service would save it, under a key made from its name. */
export function resultOf(
  name: string,
  list = `||${name}.example^\n`,
  more: Partial<ResultAbout> = {},
): readonly [about: ResultAbout, gzippedList: Buffer] {
  const about: ResultAbout = {
    key: keyOf(name),
    contentId: hash('sha256', list),
    compiledAt: new Date(START).toISOString(),
    ruleCount: 1,
    listBytes: Buffer.byteLength(list),
    configuration: { name, sources: [{ source: 'https://list.example/ä.txt' }] },
    extra: { metrics: null, unsaid: ['\n'] },
    validators: [['https://list.example/ä.txt', '"1"']],
    ...more,
  };
  return [about, gzipSync(list)];
}

/** A folder for results, two clocks, and a cache that can be closed and opened again as by a new process. */
export async function resultCacheForTests(t: Pick<TestContext, 'after'>, more: Partial<ResultCacheOptions> = {}) {
  const above = await mkdtemp(join(tmpdir(), 'weir-results-'));
  t.after(() => rm(above, { recursive: true, force: true }));
  const folder = join(above, 'results');
  const clock = { monotonic: 5000, wall: START };
  const problems: string[] = [];
  const reopen = (other: Partial<ResultCacheOptions> = {}) =>
    openResultCache({
      folder,
      maxBytes: 1024 * 1024,
      maxEntryBytes: 256 * 1024,
      freshMs: HOUR,
      now: () => clock.monotonic,
      wallNow: () => clock.wall,
      onProblem: ({ message }) => problems.push(message),
      ...more,
      ...other,
    });
  return { folder, clock, problems, reopen, cache: await reopen() };
}
