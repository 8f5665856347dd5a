import { BITMAP_PARTS, encodeBitmapIndex } from './bitmap-index.ts';
import { clustered } from './cluster-rows.ts';
import type { RowTable } from './row.ts';
import { encodeRowPage, PAGE_ROWS } from './row-pages.ts';
import type { PositionOrigin } from './row-position.ts';

/*
 * Rows of which a block has few of a kind are kept a second time, in pieces that are read alone, and marks say which of them have which
 * values. A page of what is thinly spread then reads a piece of each of many blocks, and not all of each. Of a kind, which is all that
 * filters can ask for, that more rows have, few blocks fill a page: marks only tell that it is there.
 */

/** Marks and pieces of a block, by numbers: a page reads those that it needs. */
export type IndexPages = readonly (readonly [number: number, body: Uint8Array])[];
/** Some of them. Of marks, none where no row has such a value. */
export type FoundPages = ReadonlyMap<number, Uint8Array>;

/** More than any block has. */
export const MAX_PAGES = 512;

/** Kinds that more rows of a block have are common. */
const MOST_RARE = 128;

/** A segment with fewer rows has no index: reading all of it is fast. */
export const MIN_INDEXED_ROWS = 4096;

/** The piece in which a row is, by the number that marks give it, and where it is there. */
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

/** All rows of rare kinds, and one of each common kind. */
function byKind({ length, keys }: RowTable): { readonly rare: Uint32Array; readonly common: Uint32Array } {
  const { codes } = keys;
  const counts = new Uint32Array(keys.length);
  for (let row = 0; row < length; row += 1) counts[codes[row]!]! += 1;
  const [rare, common] = [new Uint32Array(sumUpTo(counts, MOST_RARE)), new Uint32Array(keys.length)];
  let [rares, commons] = [0, 0];
  // Where all rows are of common kinds, it is enough to meet each.
  for (let row = 0; row < length && (rare.length > 0 || commons < keys.length); row += 1) {
    const key = codes[row]!;
    if (counts[key]! > MOST_RARE) {
      common[commons++] = row;
      counts[key] = TOLD;
    } else if (counts[key] !== TOLD) rare[rares++] = row;
  }
  return { rare, common: common.subarray(0, commons) };
}

function sumUpTo(counts: Uint32Array, most: number): number {
  let sum = 0;
  for (const count of counts) if (count <= most) sum += count;
  return sum;
}
/** In place of the count of a common kind that was met before: no rare one has it, for each has a row. */
const TOLD = 0;
