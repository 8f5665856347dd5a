import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Downloading } from '../../../src/filter-lists/list-jobs.ts';
import type { WantedList } from '../../../src/filter-lists/list-request.ts';
import type { ListStatus } from '../../../src/filter-lists/list-status.ts';
import type { ListsSettings, Swap } from '../../../src/filter-lists/lists-settings.ts';
import { type Lists, openLists } from '../../../src/filter-lists/open-lists.ts';
import { temporaryFolder } from '../app/temporary-folder.ts';

const MIB = 1024 * 1024;

export const downloading: Downloading = {
  sourcePorts: [],
  // Allows loopback, where the servers of tests run.
  allowNetworks: ['127.0.0.1'],
  allowHosts: [],
  maxSourceBytes: 64 * MIB,
  maxCompilationBytes: 256 * MIB,
  // Long, because the servers of tests are slow only on busy machines.
  timeoutMs: 30_000,
  maxRetries: 0,
};

export const secret = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
export const DAY_MS = 24 * 3_600_000;

/** This number of different rules. */
export const rules = (count: number, prefix = 'ads'): string =>
  Array.from({ length: count }, (_, at) => `||${prefix}${at}.example^\n`).join('');

type Given = Partial<Omit<ListsSettings, 'wanted' | 'log'>> & { readonly wanted?: readonly WantedList[] };

/** A folder of lists that can be opened and closed again, with a clock that the test sets. */
export async function testLists(t: TestContext, given: Given = {}) {
  const folder = given.folder ?? (await temporaryFolder(t));
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const told: string[] = [];
  const wanted: { lists: readonly WantedList[] | Error } = { lists: given.wanted ?? [] };
  const note =
    (level: string) =>
    (about: object, words: string): void => {
      const { list, problem, err } = about as { list?: string; problem?: string; err?: Error };
      told.push([level, words, list, problem, err?.message].filter(Boolean).join(' | '));
    };
  const open = async (more: Given = {}): Promise<Lists & { swaps: Swap[] }> => {
    const lists = await openLists({
      secret,
      everySeconds: 3600,
      downloading,
      ownPorts: () => [],
      // Long, because tests check the result of loading, not its duration.
      startWithinMs: 60_000,
      now: () => clock.now,
      ...given,
      ...more,
      folder,
      wanted: () => {
        if (wanted.lists instanceof Error) throw wanted.lists;
        return wanted.lists;
      },
      log: { info: note('info'), warn: note('warn'), debug: note('debug') } as unknown as ListsSettings['log'],
    });
    t.after(() => lists.close());
    const swaps: Swap[] = [];
    lists.onSwap((swap) => void swaps.push(swap));
    return { ...lists, swaps };
  };
  return { folder, clock, told, wanted, open };
}

export const fromAccount = (source: string, id = 'custom', account = 'account'): WantedList => ({
  id,
  source,
  namedBy: 'account',
  account,
});
export const fromOperator = (source: string, id = 'own'): WantedList => ({ id, source, namedBy: 'operator' });

export function statusOf(lists: Lists, id: string): ListStatus {
  const found = lists.status().find((one) => one.id === id);
  assert.ok(found, `no status of ${id}`);
  return found;
}

/** Waits for an effect of a timer or a thread. */
export async function until(holds: () => boolean, what: string, patienceMs = 30_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!holds()) {
    assert.ok(performance.now() < end, `in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Collects garbage now. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
