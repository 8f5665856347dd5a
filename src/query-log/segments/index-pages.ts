import { BITMAP_PARTS, encodeBitmapIndex } from './bitmap-index.ts';
import { clustered } from './cluster-rows.ts';
import type { RowTable } from './row.ts';
import { encodeRowPage, PAGE_ROWS } from './row-pages.ts';
import type { PositionOrigin } from './row-position.ts';
import { scratchUint32 } from './scratch.ts';

/*
 * Rows of key tuples that occur rarely in a segment are stored a second time in row pages, and the bitmap index finds
 * them. A page of sparse results then reads one row page of many segments instead of the whole segments. Of frequent
 * tuples a few segments fill a page, so the index only contains whether they occur.
 */

/** Bitmap parts and row pages of a segment, by number. */
export type IndexPages = readonly (readonly [number: number, body: Uint8Array])[];
/** Those that were read. A missing bitmap part means that no row has such a value. */
export type FoundPages = ReadonlyMap<number, Uint8Array>;

/** More than any segment has. */
export const MAX_PAGES = 512;

/** Tuples with more rows in a segment are frequent. */
const MOST_RARE = 128;

/** A segment with fewer rows has no index: reading all of it is fast. */
export const MIN_INDEXED_ROWS = 4096;

/** Number of the row page of a row of the bitmap index, and the row within the page. */
export const pageOf = (row: number): number => BITMAP_PARTS + Math.floor(row / PAGE_ROWS);
export const rowInPage = (row: number): number => row % PAGE_ROWS;

/** The rows: of one day. */
export function encodeRowPages(table: RowTable, origin: PositionOrigin): IndexPages {
  if (table.length < MIN_INDEXED_ROWS) return [];
  const { rare, common } = byKind(table);
  const order = clustered(table, rare);
  const pages = Array.from({ length: Math.ceil(order.length / PAGE_ROWS) }, (_, number) => {
    const rows = order.subarray(number * PAGE_ROWS, (number + 1) * PAGE_ROWS);
    return [BITMAP_PARTS + number, encodeRowPage(table, rows, origin)] as const;
  });
  return [...encodeBitmapIndex(table, order, common), ...pages];
}

/** All rows of rare tuples, and one row of each frequent tuple. */
function byKind({ length, keys }: RowTable): { readonly rare: Uint32Array; readonly common: Uint32Array } {
  const { codes } = keys;
  const counts = scratchUint32(keys.length);
  for (let row = 0; row < length; row += 1) counts[codes[row]!]! += 1;
  const [rare, common] = [scratchUint32(sumUpTo(counts, MOST_RARE)), scratchUint32(keys.length)];
  let [rares, commons] = [0, 0];
  // Without rare rows, one row of each tuple is enough.
  for (let row = 0; row < length && (rare.length > 0 || commons < keys.length); row += 1) {
    const key = codes[row]!;
    if (counts[key]! > MOST_RARE) {
      common[commons++] = row;
      counts[key] = SEEN;
    } else if (counts[key] !== SEEN) rare[rares++] = row;
  }
  return { rare, common: common.subarray(0, commons) };
}

function sumUpTo(counts: Uint32Array, most: number): number {
  let sum = 0;
  for (const count of counts) if (count <= most) sum += count;
  return sum;
}
/** Replaces the count of a frequent tuple after its first row; counts of rare ones are at least 1. */
const SEEN = 0;
