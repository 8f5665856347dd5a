import { FORMAT, type FoundSegment, type ReadTransaction, type SegmentMeta } from '../backends/log-backend.ts';
import type { RollupCache } from '../rollups/rollup-cache.ts';
import { type BitmapRows, bitmapLookup, openBitmaps, rowsWithValues } from '../segments/bitmap-index.ts';
import { skipCorruptSync } from '../segments/checksum-error.ts';
import { type FoundPages, MIN_INDEXED_ROWS, pageOf, rowInPage } from '../segments/index-pages.ts';
import { columnOf } from '../segments/row.ts';
import { openRowPage, type RowPage } from '../segments/row-pages.ts';
import type { RowPosition } from '../segments/row-position.ts';
import { type Found, originOf, type PageFilter } from './read-segment.ts';

/** Rows of a segment that may match, by their number in the bitmap index. */
export type Candidates = {
  readonly meta: SegmentMeta;
  readonly rows: Uint16Array;
  /** Whether more rows match, namely those of frequent tuples. */
  readonly hasCommon: boolean;
};

/** Below this number, reading the rows is faster than another predicate. */
const FEW_ROWS = 2;

/** Candidates by the bitmap index; none for a segment without a readable index. */
export async function candidatesIn(
  reading: IndexReading,
  account: string,
  group: readonly FoundSegment[],
  { predicates }: PageFilter,
): Promise<readonly Candidates[]> {
  const segments = group
    .filter(({ meta, raw }) => predicates.length > 0 && raw === undefined && hasIndex(meta))
    .map(({ meta }): Searched => ({ meta, matches: undefined, state: 'open' }));
  for (const { parts, hashes } of predicates.map(bitmapLookup)) {
    const open = segments.filter(({ state }) => state === 'open');
    const found = await readBitmaps(reading, account, parts, open);
    for (const [index, segment] of open.entries()) {
      const bitmap = found[index];
      if (bitmap) narrow(segment, rowsWithValues(bitmap, hashes, segment.matches));
      else segment.state = 'unreadable';
    }
  }
  return segments
    .filter(({ state }) => state !== 'unreadable')
    .map(({ meta, matches }) => ({ meta, rows: matches!.rows, hasCommon: hasCommonTuple(matches!) }));
}

// Earlier formats had another index, which is not read.
const hasIndex = ({ rows, format }: SegmentMeta): boolean => rows >= MIN_INDEXED_ROWS && format === FORMAT;

type Searched = { readonly meta: SegmentMeta; matches: BitmapRows | undefined; state: 'open' | 'over' | 'unreadable' };

function narrow(segment: Searched, matches: BitmapRows): void {
  segment.matches = matches;
  if (matches.rows.length <= FEW_ROWS && !hasCommonTuple(matches)) segment.state = 'over';
}

const hasCommonTuple = ({ rows, rowsInPages }: BitmapRows): boolean => rows.length > 0 && rows.at(-1)! >= rowsInPages;

type IndexReading = {
  readonly view: ReadTransaction;
  readonly cache: RollupCache;
  readonly onProblem: (problem: unknown) => void;
};

/** Bitmap parts of segments; undefined if one is corrupt. Cached, because the next page reads the same parts. */
async function readBitmaps(
  { view, cache, onProblem }: IndexReading,
  account: string,
  parts: readonly number[],
  segments: readonly Searched[],
): Promise<readonly (readonly Uint32Array[] | undefined)[]> {
  // A segment id may be reused, but never with the same batch and number of rows.
  const keyOf = ({ id, batch, rows }: SegmentMeta): string => `marks ${id} ${batch} ${rows} ${parts.join()} ${account}`;
  const found = segments.map(({ meta }) => cache.get(keyOf(meta))?.opened as readonly Uint32Array[] | undefined);
  const missing = segments.filter((_, index) => found[index] === undefined);
  const bodies = await view.pages(missing.map(({ meta }) => ({ meta, numbers: parts })));
  const read = new Map(
    missing.map(({ meta }, index) => {
      const opened = skipCorruptSync(onProblem, () => Array.from(bodies[index]!.values(), openBitmaps));
      const bytes = opened?.reduce((sum, { byteLength }) => sum + byteLength, BYTES_FOR_KEY) ?? 0;
      if (opened) cache.set(keyOf(meta), { batch: meta.batch, opened }, { size: bytes });
      return [meta, opened];
    }),
  );
  return segments.map(({ meta }, index) => found[index] ?? read.get(meta));
}
const BYTES_FOR_KEY = 200;

/** Rows per read. Larger reads survive into the old generation of the garbage collector. */
const ROWS_AT_ONCE = 96;

/** Reads row pages of candidates, of several segments at once, but not more than may fill a page. */
export function pagesOf(view: ReadTransaction, candidates: readonly Candidates[]) {
  const read = new Map<SegmentMeta, FoundPages>();
  return async (current: Candidates, missingRows: number): Promise<FoundPages> => {
    if (!read.has(current.meta)) {
      read.clear();
      const most = Math.min(missingRows, ROWS_AT_ONCE);
      let rows = 0;
      const next = candidates.slice(candidates.indexOf(current)).filter((candidate) => {
        const isNeeded = candidate === current || rows < most;
        rows += candidate.rows.length;
        return isNeeded;
      });
      const found = await view.pages(
        next.map((candidate) => ({ meta: candidate.meta, numbers: [...new Set(Array.from(candidate.rows, pageOf))] })),
      );
      for (const [index, { meta }] of next.entries()) read.set(meta, found[index]!);
    }
    return read.get(current.meta)!;
  };
}

/** Filters candidates, because two values may have the same hash. */
export function findInPages(
  { predicates, restPredicates, search, isInRange }: PageFilter,
  { meta, rows }: Candidates,
  found: FoundPages,
): Found {
  const conditions = [...predicates, ...restPredicates].map(([field, values]) => ({ column: columnOf(field), values }));
  const domain = columnOf('domain');
  const chosen: (RowPosition & { number: number })[] = [];
  const open = new Map<number, RowPage>();
  const pageWith = (row: number): RowPage => {
    const number = pageOf(row);
    const page = open.get(number) ?? openRowPage(found.get(number)!, originOf(meta));
    open.set(number, page);
    return page;
  };
  for (const number of rows) {
    const [page, row] = [pageWith(number), rowInPage(number)];
    const { time, sequence } = page.at(row);
    if (
      isInRange({ time, sequence }) &&
      conditions.every(({ column, values }) => values.has(page.valueAt(row, column))) &&
      (search.text === '' || search.matches(page.valueAt(row, domain) as string))
    )
      chosen.push({ time, sequence, number });
  }
  return { rows: chosen, reader: () => (number) => pageWith(number).read(rowInPage(number)) };
}
