import { FORMAT, type FoundSegment, type ReadTransaction, type SegmentMeta } from '../backends/log-backend.ts';
import type { RollupCache } from '../rollups/rollup-cache.ts';
import { type BitmapRows, bitmapLookup, openBitmaps, rowsWithValues } from '../segments/bitmap-index.ts';
import { skipCorruptSync } from '../segments/checksum-error.ts';
import { type FoundPages, MIN_INDEXED_ROWS, pageOf, rowInPage } from '../segments/index-pages.ts';
import { placeOf } from '../segments/row.ts';
import { openRowPage, type RowPage } from '../segments/row-pages.ts';
import type { RowPosition } from '../segments/row-position.ts';
import { type Asked, type Found, originOf } from './read-segment.ts';

/** Rows of a block that have what is wanted, or look so; by the numbers that marks give them. */
export type Candidates = {
  readonly meta: SegmentMeta;
  readonly rows: Uint16Array;
  /** There are more than those: of a kind that many rows have. */
  readonly hasCommon: boolean;
};

/** So few rows are sooner read than looked for further. */
const FEW_ROWS = 2;

/** By the marks of blocks; none of a block that has no marks, or whose marks cannot be read. */
export async function candidatesIn(
  reading: IndexReading,
  account: string,
  group: readonly FoundSegment[],
  { wanted }: Asked,
): Promise<readonly Candidates[]> {
  const segments = group
    .filter(({ meta, raw }) => wanted.length > 0 && raw === undefined && hasIndex(meta))
    .map(({ meta }): Searched => ({ meta, matches: undefined, state: 'open' }));
  for (const { parts, hashes } of wanted.map(bitmapLookup)) {
    const open = segments.filter(({ state }) => state === 'open');
    const rowBuffer = await readBitmaps(reading, account, parts, open);
    for (const [place, segment] of open.entries()) {
      const own = rowBuffer[place];
      if (own) narrow(segment, rowsWithValues(own, hashes, segment.matches));
      else segment.state = 'unreadable';
    }
  }
  return segments
    .filter(({ state }) => state !== 'unreadable')
    .map(({ meta, matches }) => ({ meta, rows: matches!.rows, hasCommon: hasCommonTuple(matches!) }));
}

// Format 3 and earlier had another index, which is not read.
const hasIndex = ({ rows, format }: SegmentMeta): boolean => rows >= MIN_INDEXED_ROWS && format === FORMAT;

type Searched = { readonly meta: SegmentMeta; matches: BitmapRows | undefined; state: 'open' | 'over' | 'unreadable' };

function narrow(segment: Searched, matches: BitmapRows): void {
  segment.matches = matches;
  if (matches.rows.length <= FEW_ROWS && !hasCommonTuple(matches)) segment.state = 'over';
}

const hasCommonTuple = ({ rows, rowsInPages }: BitmapRows): boolean => rows.length > 0 && rows.at(-1)! >= rowsInPages;

type IndexReading = {
  readonly view: ReadTransaction;
  readonly kept: RollupCache;
  readonly onProblem: (problem: unknown) => void;
};

/** Parts of the marks of blocks; undefined where one cannot be read. Whoever asks for the next page asks for the same again. */
async function readBitmaps(
  { view, kept, onProblem }: IndexReading,
  account: string,
  parts: readonly number[],
  segments: readonly Searched[],
): Promise<readonly (readonly Uint32Array[] | undefined)[]> {
  // A number that a block had may be given to another, but never together with its batch and as many rows.
  const keyOf = ({ id, batch, rows }: SegmentMeta): string => `marks ${id} ${batch} ${rows} ${parts.join()} ${account}`;
  const rowBuffer = segments.map(({ meta }) => kept.get(keyOf(meta))?.opened as readonly Uint32Array[] | undefined);
  const missing = segments.filter((_, place) => rowBuffer[place] === undefined);
  const bodies = await view.pages(missing.map(({ meta }) => ({ meta, numbers: parts })));
  const read = new Map(
    missing.map(({ meta }, place) => {
      const opened = skipCorruptSync(onProblem, () => Array.from(bodies[place]!.values(), openBitmaps));
      const bytes = opened?.reduce((sum, { byteLength }) => sum + byteLength, BYTES_FOR_KEY) ?? 0;
      if (opened) kept.set(keyOf(meta), { batch: meta.batch, opened }, { size: bytes });
      return [meta, opened];
    }),
  );
  return segments.map(({ meta }, place) => rowBuffer[place] ?? read.get(meta));
}
const BYTES_FOR_KEY = 200;

/** So many are read at once. What is gone before the next are read was never worth a long look of the garbage collector. */
const ROWS_AT_ONCE = 96;

/** Reads the pieces of candidates, of several blocks at once but not of more than may fill a page. */
export function pagesOf(view: ReadTransaction, candidates: readonly Candidates[]) {
  const read = new Map<SegmentMeta, FoundPages>();
  return async (own: Candidates, missingRows: number): Promise<FoundPages> => {
    if (!read.has(own.meta)) {
      read.clear();
      const most = Math.min(missingRows, ROWS_AT_ONCE);
      let rows = 0;
      const next = candidates.slice(candidates.indexOf(own)).filter((each) => {
        const isNeeded = each === own || rows < most;
        rows += each.rows.length;
        return isNeeded;
      });
      const rowBuffer = await view.pages(
        next.map((each) => ({ meta: each.meta, numbers: [...new Set(Array.from(each.rows, pageOf))] })),
      );
      for (const [place, { meta }] of next.entries()) read.set(meta, rowBuffer[place]!);
    }
    return read.get(own.meta)!;
  };
}

/** Candidates that are what they look like. */
export function findInPages(
  { wanted, search, isInRange }: Asked,
  { meta, rows }: Candidates,
  rowBuffer: FoundPages,
): Found {
  const wishes = wanted.map(([field, values]) => ({ place: placeOf(field), values }));
  const domain = placeOf('domain');
  const chosen: (RowPosition & { number: number })[] = [];
  const open = new Map<number, RowPage>();
  const pageWith = (row: number): RowPage => {
    const number = pageOf(row);
    const page = open.get(number) ?? openRowPage(rowBuffer.get(number)!, originOf(meta));
    open.set(number, page);
    return page;
  };
  for (const number of rows) {
    const [page, row] = [pageWith(number), rowInPage(number)];
    const { time, sequence } = page.at(row);
    if (
      isInRange({ time, sequence }) &&
      wishes.every(({ place, values }) => values.has(page.valueAt(row, place))) &&
      (search === '' || (page.valueAt(row, domain) as string).includes(search))
    )
      chosen.push({ time, sequence, number });
  }
  return { rows: chosen, reader: () => (number) => pageWith(number).read(rowInPage(number)) };
}
