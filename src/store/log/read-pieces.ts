import { sparingNow } from './damaged-bytes.ts';
import { leaveCommon, type Marks, markedBy, marksIn, rowsIn } from './marks.ts';
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
    .map(({ head }): Searched => ({ head, marks: undefined, state: 'open' }));
  for (const { parts, hashes } of wanted.map(markedBy)) {
    const open = blocks.filter(({ state }) => state === 'open');
    const found = await view.pieces(open.map(({ head }) => ({ head, numbers: parts })));
    for (const [place, block] of open.entries())
      if (!sparingNow(onProblem, () => narrow(block, marksIn(found[place]!.values(), hashes))))
        block.state = 'unreadable';
  }
  return blocks
    .filter(({ state }) => state !== 'unreadable')
    .map(({ head, marks }) => {
      const rows = marks ? rowsIn(marks) : [];
      return { head, rows, hasCommon: marks !== undefined && hasCommonKind(marks, rows) };
    });
}

type Searched = { readonly head: BlockHead; marks: Marks | undefined; state: 'open' | 'over' | 'unreadable' };

function narrow(block: Searched, marks: Marks | undefined): true {
  const count = marks && block.marks ? leaveCommon(marks, block.marks, FEW_ROWS) : Number.POSITIVE_INFINITY;
  block.marks = marks;
  const isKnown = marks === undefined || (count <= FEW_ROWS && !hasCommonKind(marks, rowsIn(marks)));
  if (isKnown) block.state = 'over';
  return true;
}

const hasCommonKind = ({ inPieces }: Marks, rows: readonly number[]): boolean =>
  rows.length > 0 && rows.at(-1)! >= inPieces;

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
