import { rmSync } from 'node:fs';
import { inTurn } from '../../kit/keyed-mutex.ts';
import { LogFault } from '../log-store.ts';
import { packCounted } from '../segments/flush.ts';
import { type FoundPieces, MAX_PIECES } from '../segments/packed-row-pages.ts';
import { type BlockPart, blockParts, type PackedBlock } from '../segments/segment.ts';
import { containsText, eraseSome, markForErasure } from './erase-file.ts';
import type {
  AskedPieces,
  BlockHead,
  CountedBlock,
  FoundBlock,
  Shelf,
  ShelfChange,
  ShelfView,
  TallyUnit,
} from './log-backend.ts';
import { accountsIn, expireWeek, tailsOf } from './sqlite-accounts.ts';
import { DamagedFile, type SqliteFile, type SqlList } from './sqlite-file.ts';
import { openSqliteFiles, type SqliteFiles, weekEnd, weekOf } from './sqlite-files.ts';

const DAY_MS = 86_400_000;
const HEAD = 'id, level, batch, oldest, newest, row_count';
const MAX_DAMAGED = 20;
/** Renamed damaged files are deleted after this time; until then the operator can inspect them. */
const DAMAGED_KEPT_MS = 7 * DAY_MS;

type Surroundings = {
  readonly now: () => number;
  readonly onProblem: (problem: unknown) => void;
  readonly busyMs?: number | undefined;
};

/** Keeps the log in files of a folder. One question at a time; nothing here waits for anything but its turn. */
export function openSqliteShelf(folder: string, { now, onProblem, busyMs }: Surroundings): Shelf {
  const changed = new Set<SqliteFile>();
  const files = openSqliteFiles(folder, (file) => !changed.has(file), { now, onProblem, busyMs });
  const turn = inTurn();
  const view = viewOf(files);
  let state: 'to be recovered' | 'open' | 'closed' = 'to be recovered';
  let lastBatch = 0;

  const touched = (file: SqliteFile): SqliteFile => {
    if (!changed.has(file)) file.run('BEGIN IMMEDIATE');
    changed.add(file);
    return file;
  };
  const change = changeOf(files, view, touched, (count) => {
    const first = Math.max(lastBatch + 1, Math.floor(now()));
    lastBatch = first + count - 1;
    return first;
  });

  const commit = (): void => {
    // What is counted goes first. Should the rest not follow, the recovery knows by it which blocks are counted.
    const inOrder = [...changed].sort((one, other) => Number(isSegment(one)) - Number(isSegment(other)));
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
        // Some failures have rolled back already; then there is nothing left to do.
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
  /** What a damaged file held is lost; what was asked is asked again without it. */
  const undamaged = async <T>(work: () => Promise<T>, tries = MAX_DAMAGED): Promise<T> => {
    try {
      return await transact(work);
    } catch (error) {
      if (!(error instanceof DamagedFile) || tries === 0) throw error;
      files.setAside(error);
      return undamaged(work, tries - 1);
    }
  };
  const recoverNow = async (): Promise<void> => {
    lastBatch = Math.max(lastBatch, await undamaged(async () => recover(files, change, onProblem)));
    state = 'open';
  };
  const inItsTurn = <T>(work: () => Promise<T>, isReading = false): Promise<T> =>
    turn('log', async () => {
      if (state === 'closed') throw new LogFault('closed');
      // Reading goes on while the disk is full: all rows are there, and statistics lack one batch at most.
      if (state === 'to be recovered')
        await recoverNow().catch((error: unknown) => {
          if (!isReading || !(error instanceof LogFault)) throw error;
        });
      return undamaged(work).finally(files.closeSome);
    });

  return {
    read: (work) => inItsTurn(() => work(view), true),
    change: (_accounts, work) => inItsTurn(() => work(change)),
    accounts: () => inItsTurn(async () => accountsIn(files)),
    tails: () => inItsTurn(async () => tailsOf(files)),
    async removeDamaged(account) {
      for (const { path } of files.damaged()) if (await containsText(path, account)) rmSync(path, { force: true });
    },
    async erase() {
      const weeks = files.weeks();
      while (!(await inItsTurn(async () => eraseSome(files.statistics()))));
      for (const week of weeks)
        while (!(await inItsTurn(async () => !files.weeks().includes(week) || eraseSome(files.segment(week)))));
    },
    expire: (cutoffs, tallies) =>
      inItsTurn(async () => {
        const statistics = touched(files.statistics());
        for (const [unit, before] of Object.entries(tallies))
          statistics.run('DELETE FROM tallies WHERE unit = ? AND start < ?', unit, Math.floor(before));
        for (const week of files.weeks()) expireWeek(files, week, cutoffs, touched);
        for (const { path, since } of files.damaged())
          if (since < now() - DAMAGED_KEPT_MS) rmSync(path, { force: true });
      }),
    close: () =>
      turn('log', async () => {
        state = 'closed';
        files.close();
      }),
  };
}

const isSegment = ({ path }: SqliteFile): boolean => !path.endsWith('statistics.db');

const headOf = (row: SqlList): BlockHead => {
  const [id, level, batch, first, last, rows] = row as readonly number[] as readonly [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { id, level, batch, first, last, rows };
};

function viewOf(files: SqliteFiles): ShelfView {
  const weeksOf = (from: number, to: number): readonly number[] =>
    files.weeks().filter((start) => start <= to && weekEnd(start) >= from);
  // What occurs lies with its rows, so that they are committed as one; see the recovery.
  const holding = (unit: TallyUnit, from: number, to: number): readonly SqliteFile[] =>
    unit === 'occurring' ? weeksOf(from, to).map((week) => files.segment(week)) : [files.statistics()];
  return {
    async *blocks(account, { from, to, parts = [], isWanted = () => true }) {
      // Nothing goes over midnight: what begins before `to` ends on the same day.
      const latest = Math.floor(to / DAY_MS) * DAY_MS + DAY_MS - 1;
      const counted = `SELECT ${[HEAD, 'NULL', ...parts].join(', ')} FROM blocks WHERE level > 0
        AND account = ? AND newest BETWEEN ? AND ? AND oldest <= ? ORDER BY newest DESC`;
      const fresh = `SELECT ${[HEAD, 'fresh', ...parts].join(', ')} FROM blocks WHERE level = 0
        AND account = ? AND newest BETWEEN ? AND ? AND oldest <= ? ORDER BY newest`;
      for (const week of weeksOf(from, to)) {
        const waiting = files.segment(week).lists(fresh, account, from, latest, to);
        for (const row of files.segment(week).iterateLists(counted, account, from, latest, to)) {
          const found = foundIn(row, parts);
          if (!isWanted(found.head)) continue;
          while (waiting.length > 0 && headOf(waiting.at(-1)!).last >= found.head.last)
            yield foundIn(waiting.pop()!, parts);
          yield found;
        }
        while (waiting.length > 0) yield foundIn(waiting.pop()!, parts);
      }
    },
    async parts<Part extends BlockPart>(heads: readonly BlockHead[], parts: readonly Part[]) {
      const sql = `SELECT ${parts.join(', ')} FROM blocks WHERE id = ?`;
      return heads.map(({ id, first }) => files.segment(first).get(sql, id) as Pick<PackedBlock, Part>);
    },
    async pieces(asked) {
      const found = new Map<AskedPieces, FoundPieces>();
      for (const [week, group] of Map.groupBy(asked, ({ head }) => weekOf(head.first))) {
        const segment = files.segment(week);
        const ids = group.flatMap(({ head, numbers }) => numbers.map((number) => head.id * MAX_PIECES + number));
        const bodies = new Map(
          segment.lists(PIECES, JSON.stringify(ids)) as unknown as readonly (readonly [number, Uint8Array])[],
        );
        for (const each of group) found.set(each, piecesOf(each, bodies));
      }
      return asked.map((each) => found.get(each)!);
    },
    async tail(account) {
      const sql = `SELECT ${HEAD}, fresh FROM blocks WHERE account = ? AND level = 0 ORDER BY batch`;
      return files
        .weeks()
        .flatMap((week) => files.segment(week).lists(sql, account))
        .map((row) => ({ head: headOf(row), fresh: freshIn(row) }))
        .sort((one, other) => one.head.batch - other.head.batch);
    },
    async tallies(account, unit, from, to) {
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

const PIECES = 'SELECT id, body FROM pieces WHERE id IN (SELECT value FROM json_each(?))';

function piecesOf({ head, numbers }: AskedPieces, bodies: ReadonlyMap<number, Uint8Array>): FoundPieces {
  const found = new Map<number, Uint8Array>();
  for (const number of numbers) {
    const body = bodies.get(head.id * MAX_PIECES + number);
    if (body) found.set(number, body);
  }
  return found;
}

const FRESH = 6;
const freshIn = (row: SqlList): Uint8Array | undefined => (row[FRESH] as Uint8Array | null) ?? undefined;

const foundIn = (row: SqlList, parts: readonly BlockPart[]): FoundBlock => ({
  head: headOf(row),
  fresh: freshIn(row),
  parts: freshIn(row)
    ? {}
    : Object.fromEntries(parts.map((part, place) => [part, row[FRESH + 1 + place] as Uint8Array])),
});

const INSERT_FRESH =
  'INSERT INTO blocks (account, level, batch, oldest, newest, row_count, fresh) VALUES (?, 0, ?, ?, ?, ?, ?)';
const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
const INSERT_PACKED = insertInto('blocks', [
  'account',
  'level',
  'batch',
  'oldest',
  'newest',
  'row_count',
  ...blockParts,
]);
const INSERT_PIECE = insertInto('pieces', ['id', 'body']);
const PUT_TALLY = `INSERT INTO tallies (account, unit, start, batch, queries, body) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (account, unit, start) DO UPDATE SET batch = excluded.batch, queries = queries + excluded.queries, body = excluded.body`;
const HAS_ROWS = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM blocks WHERE account = ?)
  OR EXISTS (SELECT 1 FROM tallies WHERE account = ?)`;
const PUT_COUNTED = `INSERT INTO counted (account, batch) VALUES (?, ?)
  ON CONFLICT (account) DO UPDATE SET batch = max(batch, excluded.batch)`;

function changeOf(
  files: SqliteFiles,
  view: ShelfView,
  touched: (file: SqliteFile) => SqliteFile,
  batches: (count: number) => number,
): ShelfChange {
  const segment = (time: number): SqliteFile => touched(files.segment(time));
  const statistics = (): SqliteFile => touched(files.statistics());
  const ofBlocks = (what: string, heads: readonly BlockHead[]): void => {
    for (const [week, group] of Map.groupBy(heads, ({ first }) => weekOf(first)))
      segment(week).run(
        `${what} WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(group.map(({ id }) => id)),
      );
  };
  return {
    ...view,
    batches: async (count) => batches(count),
    async addFresh(blocks) {
      for (const { account, content, ...head } of blocks) {
        const { batch, first, last, rows } = head;
        if (content.kind === 'packed') insertPacked(segment(first), account, { ...head, ...content, level: 0 });
        else segment(first).run(INSERT_FRESH, account, batch, first, last, rows, content.fresh);
      }
    },
    async addCounted(account, blocks) {
      for (const block of blocks) insertPacked(segment(block.first), account, block);
    },
    setCounted: async (heads) => ofBlocks('UPDATE blocks SET level = 1', heads),
    remove: async (heads) => ofBlocks('DELETE FROM blocks', heads),
    async removeAll(account) {
      for (const week of files.weeks()) {
        if (!files.segment(week).get(HAS_ROWS, account, account)) continue;
        segment(week).run('DELETE FROM blocks WHERE account = ?', account);
        segment(week).run('DELETE FROM tallies WHERE account = ?', account);
        markForErasure(segment(week));
      }
    },
    async putTally(account, unit, { start, batch, queries, body }) {
      const file = unit === 'occurring' ? segment(start) : statistics();
      file.run(PUT_TALLY, account, unit, start, batch, queries, body);
    },
    async removeTallies(account) {
      statistics().run('DELETE FROM tallies WHERE account = ?', account);
      statistics().run('DELETE FROM counted WHERE account = ?', account);
      markForErasure(statistics());
    },
    async clearTallies(account) {
      statistics().run("DELETE FROM tallies WHERE account = ? AND unit = 'minute'", account);
      statistics().run("UPDATE tallies SET body = x'' WHERE account = ?", account);
      markForErasure(statistics());
    },
    async counted(account, batch) {
      statistics().run(PUT_COUNTED, account, batch);
    },
  };
}

function insertPacked(file: SqliteFile, account: string, block: CountedBlock): void {
  const { level, batch, first, last, rows, parts, pieces } = block;
  file.run(INSERT_PACKED, account, level, batch, first, last, rows, ...blockParts.map((part) => parts[part]));
  if (pieces.length === 0) return;
  const id = file.get('SELECT last_insert_rowid() AS id')!['id'] as number;
  for (const [number, body] of pieces) file.run(INSERT_PIECE, id * MAX_PIECES + number, body);
}

/**
 * Two files do not commit as one. Blocks that were counted, but are still there as if they were not, are packed now.
 * Gives the largest number any batch has had.
 */
async function recover(
  files: SqliteFiles,
  change: ShelfChange,
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
    for (const row of files.segment(week).lists(`SELECT ${HEAD}, fresh, account FROM blocks WHERE level = 0`)) {
      const [head, account] = [headOf(row), row[FRESH + 1] as string];
      last = Math.max(last, head.batch);
      if (head.batch > (counted.get(account) ?? -1)) continue;
      await packCounted(change, account, { head, fresh: freshIn(row) }, onProblem);
    }
  return last;
}
