import { rmSync } from 'node:fs';
import { DAY_MS } from '../../kit/durations.ts';
import { keyedMutex } from '../../kit/keyed-mutex.ts';
import { LogError } from '../log-store.ts';
import { encodeRolledUp } from '../segments/flush.ts';
import { type FoundPages, MAX_PAGES } from '../segments/index-pages.ts';
import { type SegmentPart, type SegmentParts, segmentParts } from '../segments/segment.ts';
import { containsText, eraseSome, markForErasure } from './erase-file.ts';
import {
  FORMAT,
  type FoundSegment,
  type LogBackend,
  type OutdatedSegment,
  type PageRequest,
  type ReadTransaction,
  type RolledUpSegment,
  type RollupUnit,
  type SegmentMeta,
  type WriteTransaction,
  ZONE_MAP_UNIT,
} from './log-backend.ts';
import { accountsIn, expireWeek, unflushedCounts } from './sqlite-accounts.ts';
import { CorruptFile, type SqliteFile, type SqlList } from './sqlite-file.ts';
import { isWeekFile, openSqliteFiles, type SqliteFiles, weekEnd, weekOf } from './sqlite-files.ts';
import { receiveBatch } from './sqlite-received.ts';

const META = `id, level, batch, oldest, newest, row_count,
  coalesce((SELECT format FROM old_segments WHERE old_segments.id = blocks.id), ${FORMAT}) AS format`;
const MAX_DAMAGED = 20;
/** Renamed corrupt files are deleted after this time; until then the operator can inspect them. */
const DAMAGED_KEPT_MS = 7 * DAY_MS;

type Environment = {
  readonly now: () => number;
  readonly onProblem: (problem: unknown) => void;
  readonly busyMs?: number | undefined;
};

/** Stores the log in files of a folder. Calls run one at a time; SQLite calls are synchronous. */
export function openSqliteBackend(folder: string, { now, onProblem, busyMs }: Environment): LogBackend {
  const changed = new Set<SqliteFile>();
  const files = openSqliteFiles(folder, (file) => !changed.has(file), { now, onProblem, busyMs });
  const turn = keyedMutex();
  const view = viewOf(files);
  let state: 'to be recovered' | 'open' | 'closed' = 'to be recovered';
  let lastBatch = 0;

  const inTransaction = (file: SqliteFile): SqliteFile => {
    if (!changed.has(file)) file.run('BEGIN IMMEDIATE');
    changed.add(file);
    return file;
  };
  const batches = (count: number): number => {
    const first = Math.max(lastBatch + 1, Math.floor(now()));
    lastBatch = first + count - 1;
    return first;
  };
  const change = changeOf(files, view, inTransaction, { batches, now });

  const commit = (): void => {
    // Rollups commit first. If the other files do not follow, recovery finds the rolled-up segments by the `counted`
    // table.
    const inOrder = [...changed].sort((one, other) => Number(isWeekFile(one)) - Number(isWeekFile(other)));
    let isPartlyDone = false;
    try {
      for (const file of inOrder) {
        file.run('COMMIT');
        changed.delete(file);
        isPartlyDone = true;
      }
    } catch (error) {
      if (isPartlyDone) state = 'to be recovered';
      throw error;
    }
  };
  const rollBack = (): void => {
    for (const file of changed) {
      try {
        file.run('ROLLBACK');
      } catch (error) {
        // SQLite has already rolled back after some errors.
        if (!(error instanceof Error && error.message.includes('no transaction is active'))) onProblem(error);
      }
    }
    changed.clear();
  };
  const transact = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      commit();
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  /** Renames a corrupt file and repeats the work without it. Its rows are lost. */
  const withoutCorrupt = async <T>(work: () => Promise<T>, tries = MAX_DAMAGED): Promise<T> => {
    try {
      return await transact(work);
    } catch (error) {
      if (!(error instanceof CorruptFile) || tries === 0) throw error;
      files.setAside(error);
      return withoutCorrupt(work, tries - 1);
    }
  };
  const recoverNow = async (): Promise<void> => {
    lastBatch = Math.max(lastBatch, await withoutCorrupt(async () => recover(files, change, onProblem)));
    state = 'open';
  };
  const exclusively = <T>(work: () => Promise<T>, isReading = false): Promise<T> =>
    turn('log', async () => {
      if (state === 'closed') throw new LogError('closed');
      // Reads continue while the disk is full: all rows are readable, and statistics miss at most one batch.
      if (state === 'to be recovered')
        await recoverNow().catch((error: unknown) => {
          if (!isReading || !(error instanceof LogError)) throw error;
        });
      return withoutCorrupt(work).finally(files.closeSome);
    });

  return {
    read: (work) => exclusively(() => work(view), true),
    change: (_accounts, work) => exclusively(() => work(change)),
    accounts: () => exclusively(async () => accountsIn(files)),
    unflushedByAccount: () => exclusively(async () => unflushedCounts(files)),
    async removeDamaged(account) {
      for (const { path } of files.damaged()) if (await containsText(path, account)) rmSync(path, { force: true });
    },
    async erase() {
      const weeks = files.weeks();
      while (!(await exclusively(async () => eraseSome(files.statistics()))));
      for (const week of weeks)
        while (!(await exclusively(async () => !files.weeks().includes(week) || eraseSome(files.weekFile(week)))));
    },
    expire: (cutoffs, rollups) =>
      exclusively(async () => {
        const statistics = inTransaction(files.statistics());
        for (const [unit, before] of Object.entries(rollups))
          statistics.run('DELETE FROM tallies WHERE unit = ? AND start < ?', unit, Math.floor(before));
        for (const week of files.weeks()) expireWeek(files, week, cutoffs, inTransaction);
        for (const { path, since } of files.damaged())
          if (since < now() - DAMAGED_KEPT_MS) rmSync(path, { force: true });
      }),
    outdated: (limit) =>
      exclusively(async () => {
        const sql = `SELECT ${META}, account FROM blocks WHERE id IN (SELECT id FROM old_segments) LIMIT ?`;
        const found: OutdatedSegment[] = [];
        for (const week of files.weeks())
          for (const row of found.length < limit ? files.weekFile(week).lists(sql, limit - found.length) : [])
            found.push({ meta: metaOf(row), account: row[RAW] as string });
        return found;
      }, true),
    outdatedCount: () =>
      exclusively(
        async () =>
          files
            .weeks()
            .map((week) => files.weekFile(week).get('SELECT count(*) AS count FROM old_segments')!['count'] as number)
            .reduce((sum, count) => sum + count, 0),
        true,
      ),
    finishUpgrade: () =>
      exclusively(async () => {
        for (const week of files.weeks())
          if (files.weekFile(week).get(HAS_FEW)) dropFew(inTransaction(files.weekFile(week)));
      }),
    close: () =>
      turn('log', async () => {
        state = 'closed';
        files.close();
      }),
  };
}

// The index of formats 2 and 3.
const HAS_FEW = "SELECT 1 AS found FROM sqlite_schema WHERE name = 'few'";
const dropFew = (file: SqliteFile): void => {
  file.run('DROP TRIGGER few_go_with_their_block');
  file.run('DROP TABLE few');
};

const metaOf = (row: SqlList): SegmentMeta => {
  const [id, level, batch, first, last, rows, format] = row as readonly number[] as readonly [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { id, level, batch, first, last, rows, format };
};

function viewOf(files: SqliteFiles): ReadTransaction {
  const weeksOf = (from: number, to: number): readonly number[] =>
    files.weeks().filter((start) => start <= to && weekEnd(start) >= from);
  // Zone maps are in the file of their rows, so both commit together.
  const holding = (unit: RollupUnit, from: number, to: number): readonly SqliteFile[] =>
    unit === ZONE_MAP_UNIT ? weeksOf(from, to).map((week) => files.weekFile(week)) : [files.statistics()];
  return {
    async *segments(account, { from, to, parts = [], isWanted = () => true }) {
      // Segments do not cross midnight, so one that begins before `to` ends on the same day.
      const latest = Math.floor(to / DAY_MS) * DAY_MS + DAY_MS - 1;
      const counted = `SELECT ${[META, 'NULL', ...parts].join(', ')} FROM blocks WHERE level > 0
        AND account = ? AND newest BETWEEN ? AND ? AND oldest <= ? ORDER BY newest DESC`;
      const raw = `SELECT ${[META, 'fresh', ...parts].join(', ')} FROM blocks WHERE level = 0
        AND account = ? AND newest BETWEEN ? AND ? AND oldest <= ? ORDER BY newest`;
      for (const week of weeksOf(from, to)) {
        const waiting = files.weekFile(week).lists(raw, account, from, latest, to);
        for (const row of files.weekFile(week).iterateLists(counted, account, from, latest, to)) {
          const found = foundIn(row, parts);
          if (!isWanted(found.meta)) continue;
          while (waiting.length > 0 && metaOf(waiting.at(-1)!).last >= found.meta.last)
            yield foundIn(waiting.pop()!, parts);
          yield found;
        }
        while (waiting.length > 0) yield foundIn(waiting.pop()!, parts);
      }
    },
    async parts<Part extends SegmentPart>(metas: readonly SegmentMeta[], parts: readonly Part[]) {
      const sql = `SELECT ${parts.join(', ')} FROM blocks WHERE id = ?`;
      return metas.map(({ id, first }) => files.weekFile(first).get(sql, id) as Pick<SegmentParts, Part>);
    },
    async pages(requested) {
      const found = new Map<PageRequest, FoundPages>();
      for (const [week, group] of Map.groupBy(requested, ({ meta }) => weekOf(meta.first))) {
        const weekFile = files.weekFile(week);
        const ids = group.flatMap(({ meta, numbers }) => numbers.map((number) => meta.id * MAX_PAGES + number));
        const bodies = new Map(
          weekFile.lists(SELECT_PAGES, JSON.stringify(ids)) as unknown as readonly (readonly [number, Uint8Array])[],
        );
        for (const request of group) found.set(request, pagesOf(request, bodies));
      }
      return requested.map((request) => found.get(request)!);
    },
    async unflushed(account) {
      const sql = `SELECT ${META}, fresh FROM blocks WHERE account = ? AND level = 0 ORDER BY batch`;
      return files
        .weeks()
        .flatMap((week) => files.weekFile(week).lists(sql, account))
        .map((row) => ({ meta: metaOf(row), raw: rawIn(row) }))
        .sort((one, other) => one.meta.batch - other.meta.batch);
    },
    async rollups(account, unit, from, to) {
      const sql = `SELECT start, batch FROM tallies WHERE account = ? AND unit = ? AND start BETWEEN ? AND ?
        AND length(body) > 0`;
      const rows = holding(unit, from, to).flatMap((file) => file.all(sql, account, unit, from, to));
      return rows.map(({ start, batch }) => ({ start: start as number, batch: batch as number }));
    },
    async bodies(account, unit, starts) {
      const sql = 'SELECT batch, body FROM tallies WHERE account = ? AND unit = ? AND start = ? AND length(body) > 0';
      return starts.flatMap((start) => {
        const row = holding(unit, start, start)[0]?.get(sql, account, unit, start);
        return row ? [{ start, batch: row['batch'] as number, body: row['body'] as Uint8Array }] : [];
      });
    },
    async queries(account, unit, from, to) {
      const sql =
        'SELECT coalesce(sum(queries), 0) AS sum FROM tallies WHERE account = ? AND unit = ? AND start BETWEEN ? AND ?';
      return files.statistics().get(sql, account, unit, from, to)!['sum'] as number;
    },
  };
}

const SELECT_PAGES = 'SELECT id, body FROM pieces WHERE id IN (SELECT value FROM json_each(?))';

function pagesOf({ meta, numbers }: PageRequest, bodies: ReadonlyMap<number, Uint8Array>): FoundPages {
  const found = new Map<number, Uint8Array>();
  for (const number of numbers) {
    const body = bodies.get(meta.id * MAX_PAGES + number);
    if (body) found.set(number, body);
  }
  return found;
}

const RAW = 7;
const rawIn = (row: SqlList): Uint8Array | undefined => (row[RAW] as Uint8Array | null) ?? undefined;

const foundIn = (row: SqlList, parts: readonly SegmentPart[]): FoundSegment => ({
  meta: metaOf(row),
  raw: rawIn(row),
  parts: rawIn(row) ? {} : Object.fromEntries(parts.map((part, index) => [part, row[RAW + 1 + index] as Uint8Array])),
});

const INSERT_RAW =
  'INSERT INTO blocks (account, level, batch, oldest, newest, row_count, fresh) VALUES (?, 0, ?, ?, ?, ?, ?)';
const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
const INSERT_ENCODED = insertInto('blocks', [
  'account',
  'level',
  'batch',
  'oldest',
  'newest',
  'row_count',
  ...segmentParts,
]);
const INSERT_PAGE = insertInto('pieces', ['id', 'body']);
const PUT_ROLLUP = `INSERT INTO tallies (account, unit, start, batch, queries, body) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (account, unit, start) DO UPDATE SET batch = excluded.batch, queries = queries + excluded.queries, body = excluded.body`;
const HAS_ROWS = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM blocks WHERE account = ?)
  OR EXISTS (SELECT 1 FROM tallies WHERE account = ?)`;
const PUT_COUNTED = `INSERT INTO counted (account, batch) VALUES (?, ?)
  ON CONFLICT (account) DO UPDATE SET batch = max(batch, excluded.batch)`;

function changeOf(
  files: SqliteFiles,
  view: ReadTransaction,
  inTransaction: (file: SqliteFile) => SqliteFile,
  { batches, now }: { readonly batches: (count: number) => number; readonly now: () => number },
): WriteTransaction {
  const weekFile = (time: number): SqliteFile => inTransaction(files.weekFile(time));
  const statistics = (): SqliteFile => inTransaction(files.statistics());
  const bySegment = (what: string, metas: readonly SegmentMeta[]): void => {
    for (const [week, group] of Map.groupBy(metas, ({ first }) => weekOf(first)))
      weekFile(week).run(
        `${what} WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(group.map(({ id }) => id)),
      );
  };
  return {
    ...view,
    batches: async (count) => batches(count),
    receive: async (id, times) => receiveBatch(weekFile, { id, times, now: now() }),
    async appendSegments(segments) {
      for (const { account, content, ...meta } of segments) {
        const { batch, first, last, rows } = meta;
        if (content.kind === 'encoded') insertEncoded(weekFile(first), account, { ...meta, ...content, level: 0 });
        else weekFile(first).run(INSERT_RAW, account, batch, first, last, rows, content.raw);
      }
    },
    async addRolledUp(account, segments) {
      for (const segment of segments) insertEncoded(weekFile(segment.first), account, segment);
    },
    setRolledUp: async (metas) => bySegment('UPDATE blocks SET level = 1', metas),
    remove: async (metas) => bySegment('DELETE FROM blocks', metas),
    async removeAll(account) {
      for (const week of files.weeks()) {
        if (!files.weekFile(week).get(HAS_ROWS, account, account)) continue;
        weekFile(week).run('DELETE FROM blocks WHERE account = ?', account);
        weekFile(week).run('DELETE FROM tallies WHERE account = ?', account);
        markForErasure(weekFile(week));
      }
    },
    async putRollup(account, unit, { start, batch, queries, body }) {
      const file = unit === ZONE_MAP_UNIT ? weekFile(start) : statistics();
      file.run(PUT_ROLLUP, account, unit, start, batch, queries, body);
    },
    async deleteRollups(account) {
      statistics().run('DELETE FROM tallies WHERE account = ?', account);
      statistics().run('DELETE FROM counted WHERE account = ?', account);
      markForErasure(statistics());
    },
    async clearRollups(account) {
      statistics().run("DELETE FROM tallies WHERE account = ? AND unit = 'minute'", account);
      statistics().run("UPDATE tallies SET body = x'' WHERE account = ?", account);
      markForErasure(statistics());
    },
    async counted(account, batch) {
      statistics().run(PUT_COUNTED, account, batch);
    },
  };
}

function insertEncoded(file: SqliteFile, account: string, segment: RolledUpSegment): void {
  const { level, batch, first, last, rows, parts, pages } = segment;
  file.run(INSERT_ENCODED, account, level, batch, first, last, rows, ...segmentParts.map((part) => parts[part]));
  if (pages.length === 0) return;
  const id = file.get('SELECT last_insert_rowid() AS id')!['id'] as number;
  for (const [number, body] of pages) file.run(INSERT_PAGE, id * MAX_PAGES + number, body);
}

/**
 * Two files do not commit atomically. Encodes segments that were rolled up but still have level 0. Returns the largest
 * batch number ever used.
 */
async function recover(
  files: SqliteFiles,
  change: WriteTransaction,
  onProblem: (problem: unknown) => void,
): Promise<number> {
  const counted = new Map(
    files
      .statistics()
      .all('SELECT account, batch FROM counted')
      .map(({ account, batch }) => [account as string, batch as number]),
  );
  let last = counted.values().reduce((largest, batch) => Math.max(largest, batch), 0);
  for (const week of files.weeks())
    for (const row of files.weekFile(week).lists(`SELECT ${META}, fresh, account FROM blocks WHERE level = 0`)) {
      const [meta, account] = [metaOf(row), row[RAW + 1] as string];
      last = Math.max(last, meta.batch);
      if (meta.batch > (counted.get(account) ?? -1)) continue;
      await encodeRolledUp(change, account, { meta, raw: rawIn(row) }, onProblem);
    }
  return last;
}
