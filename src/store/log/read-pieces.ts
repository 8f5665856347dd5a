import { MAX_ROWS } from './block.ts';
import { sparingNow } from './damaged-bytes.ts';
import { emptyMarks, markedBy, markRows, rowsIn } from './marks.ts';
import { type FoundPieces, hasPieces, pieceOf, placeInPiece } from './packed-pieces.ts';
import { openPiece, type Piece } from './pieces.ts';
import { type Asked, type Found, originOf } from './read-block.ts';
import { placeOf } from './row.ts';
import type { BlockHead, FoundBlock, ShelfView } from './shelf.ts';
import type { Spot } from './spots.ts';

/** Rows of a block that have what is wanted, or look so; by the numbers that marks give them. */
export type Candidates = {
  readonly head: BlockHead;
  readonly rows: readonly number[];
  /** There are more than those: of a kind that many rows have. */
  readonly hasCommon: boolean;
};

/** So few rows are sooner read than looked for further. */
const FEW_ROWS = 2;

/** By the marks of blocks; none of a block that has no marks, or whose marks cannot be read. */
export async function candidatesIn(
  view: ShelfView,
  group: readonly FoundBlock[],
  { wanted }: Asked,
  onProblem: (problem: unknown) => void,
): Promise<readonly Candidates[]> {
  const blocks = group
    .filter(({ head, fresh }) => wanted.length > 0 && fresh === undefined && hasPieces(head))
    .map(({ head }) => ({ head, bits: emptyMarks(head.rows).fill(ALL), inPieces: 0, state: 'open' as SearchState }));
  const scratch = emptyMarks(MAX_ROWS);
  for (const { parts, hashes } of wanted.map(markedBy)) {
    const open = blocks.filter(({ state }) => state === 'open');
    const found = await view.pieces(open.map(({ head }) => ({ head, numbers: parts })));
    for (let place = 0; place < open.length; place += 1) {
      const block = open[place]!;
      const own = scratch.subarray(0, block.bits.length).fill(0);
      const inPieces = sparingNow(onProblem, () => markRows(own, found[place]!.values(), hashes));
      if (inPieces === undefined) block.state = 'unreadable';
      else {
        block.inPieces = Math.max(block.inPieces, inPieces);
        if (areFew(block.bits, own, block.inPieces)) block.state = 'over';
      }
    }
  }
  return blocks
    .filter(({ state }) => state !== 'unreadable')
    .map(({ head, bits, inPieces }) => {
      const rows = rowsIn(bits);
      return { head, rows, hasCommon: rows.length > 0 && rows.at(-1)! >= inPieces };
    });
}
const ALL = 0xffffffff;
type SearchState = 'open' | 'over' | 'unreadable';

/** Leaves the bits that both have. Says whether those are so few, and all of rows in pieces, that no more has to be known. */
function areFew(bits: Uint32Array, others: Uint32Array, inPieces: number): boolean {
  let [count, last] = [0, 0];
  for (let word = 0; word < bits.length; word += 1) {
    const left = bits[word]! & others[word]!;
    bits[word] = left;
    if (left === 0) continue;
    last = word * 32 + 31 - Math.clz32(left);
    for (let bit = left; bit !== 0 && count <= FEW_ROWS; bit &= bit - 1) count += 1;
  }
  return count === 0 || (count <= FEW_ROWS && last < inPieces);
}

/** Reads the pieces of candidates, of as many blocks at once as may fill a page. */
export function piecesOf(view: ShelfView, candidates: readonly Candidates[]) {
  const read = new Map<BlockHead, FoundPieces>();
  return async (own: Candidates, missingRows: number): Promise<FoundPieces> => {
    if (!read.has(own.head)) {
      read.clear();
      let rows = 0;
      const next = candidates.slice(candidates.indexOf(own)).filter((each) => {
        const isNeeded = each === own || rows < missingRows;
        rows += each.rows.length;
        return isNeeded;
      });
      const found = await view.pieces(
        next.map((each) => ({ head: each.head, numbers: [...new Set(each.rows.map(pieceOf))] })),
      );
      for (const [place, { head }] of next.entries()) read.set(head, found[place]!);
    }
    return read.get(own.head)!;
  };
}

/** Candidates that are what they look like. */
export function findInPieces(
  { wanted, search, isInRange }: Asked,
  { head, rows }: Candidates,
  found: FoundPieces,
): Found {
  const wishes = wanted.map(([field, values]) => ({ place: placeOf(field), values }));
  const domain = placeOf('domain');
  const chosen: (Spot & { number: number })[] = [];
  const open = new Map<number, Piece>();
  const pieceWith = (row: number): Piece => {
    const number = pieceOf(row);
    const piece = open.get(number) ?? openPiece(found.get(number)!, originOf(head));
    open.set(number, piece);
    return piece;
  };
  for (const number of rows) {
    const [piece, row] = [pieceWith(number), placeInPiece(number)];
    const { time, sequence } = piece.at(row);
    if (
      isInRange({ time, sequence }) &&
      wishes.every(({ place, values }) => values.has(piece.valueAt(row, place))) &&
      (search === '' || (piece.valueAt(row, domain) as string).includes(search))
    )
      chosen.push({ time, sequence, number });
  }
  return { rows: chosen, reader: () => (number) => pieceWith(number).read(placeInPiece(number)) };
}
