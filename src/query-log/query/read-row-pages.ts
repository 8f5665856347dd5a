import type { BlockHead, FoundBlock, ShelfView } from '../backends/log-backend.ts';
import type { OpenTallies } from '../rollups/rollup-cache.ts';
import { type MarkedRows, markedBy, openMarks, rowsMarked } from '../segments/bitmap-index.ts';
import { sparingNow } from '../segments/checksum-error.ts';
import { type FoundPieces, hasPieces, pieceOf, placeInPiece } from '../segments/packed-row-pages.ts';
import { placeOf } from '../segments/row.ts';
import { openPiece, type Piece } from '../segments/row-pages.ts';
import type { Spot } from '../segments/row-position.ts';
import { type Asked, type Found, originOf } from './read-segment.ts';

/** Rows of a block that have what is wanted, or look so; by the numbers that marks give them. */
export type Candidates = {
  readonly head: BlockHead;
  readonly rows: Uint16Array;
  /** There are more than those: of a kind that many rows have. */
  readonly hasCommon: boolean;
};

/** So few rows are sooner read than looked for further. */
const FEW_ROWS = 2;

/** By the marks of blocks; none of a block that has no marks, or whose marks cannot be read. */
export async function candidatesIn(
  reading: MarksReading,
  account: string,
  group: readonly FoundBlock[],
  { wanted }: Asked,
): Promise<readonly Candidates[]> {
  const blocks = group
    .filter(({ head, fresh }) => wanted.length > 0 && fresh === undefined && hasPieces(head))
    .map(({ head }): Searched => ({ head, marked: undefined, state: 'open' }));
  for (const { parts, hashes } of wanted.map(markedBy)) {
    const open = blocks.filter(({ state }) => state === 'open');
    const found = await readMarks(reading, account, parts, open);
    for (const [place, block] of open.entries()) {
      const own = found[place];
      if (own) narrow(block, rowsMarked(own, hashes, block.marked));
      else block.state = 'unreadable';
    }
  }
  return blocks
    .filter(({ state }) => state !== 'unreadable')
    .map(({ head, marked }) => ({ head, rows: marked!.rows, hasCommon: hasCommonKind(marked!) }));
}

type Searched = { readonly head: BlockHead; marked: MarkedRows | undefined; state: 'open' | 'over' | 'unreadable' };

function narrow(block: Searched, marked: MarkedRows): void {
  block.marked = marked;
  if (marked.rows.length <= FEW_ROWS && !hasCommonKind(marked)) block.state = 'over';
}

const hasCommonKind = ({ rows, inPieces }: MarkedRows): boolean => rows.length > 0 && rows.at(-1)! >= inPieces;

type MarksReading = {
  readonly view: ShelfView;
  readonly kept: OpenTallies;
  readonly onProblem: (problem: unknown) => void;
};

/** Parts of the marks of blocks; undefined where one cannot be read. Whoever asks for the next page asks for the same again. */
async function readMarks(
  { view, kept, onProblem }: MarksReading,
  account: string,
  parts: readonly number[],
  blocks: readonly Searched[],
): Promise<readonly (readonly Uint32Array[] | undefined)[]> {
  // A number that a block had may be given to another, but never together with its batch and as many rows.
  const keyOf = ({ id, batch, rows }: BlockHead): string => `marks ${id} ${batch} ${rows} ${parts.join()} ${account}`;
  const found = blocks.map(({ head }) => kept.get(keyOf(head))?.opened as readonly Uint32Array[] | undefined);
  const missing = blocks.filter((_, place) => found[place] === undefined);
  const bodies = await view.pieces(missing.map(({ head }) => ({ head, numbers: parts })));
  const read = new Map(
    missing.map(({ head }, place) => {
      const opened = sparingNow(onProblem, () => Array.from(bodies[place]!.values(), openMarks));
      const bytes = opened?.reduce((sum, { byteLength }) => sum + byteLength, BYTES_FOR_KEY) ?? 0;
      if (opened) kept.set(keyOf(head), { batch: head.batch, opened }, bytes);
      return [head, opened];
    }),
  );
  return blocks.map(({ head }, place) => found[place] ?? read.get(head));
}
const BYTES_FOR_KEY = 200;

/** So many are read at once. What is gone before the next are read was never worth a long look of the garbage collector. */
const ROWS_AT_ONCE = 96;

/** Reads the pieces of candidates, of several blocks at once but not of more than may fill a page. */
export function piecesOf(view: ShelfView, candidates: readonly Candidates[]) {
  const read = new Map<BlockHead, FoundPieces>();
  return async (own: Candidates, missingRows: number): Promise<FoundPieces> => {
    if (!read.has(own.head)) {
      read.clear();
      const most = Math.min(missingRows, ROWS_AT_ONCE);
      let rows = 0;
      const next = candidates.slice(candidates.indexOf(own)).filter((each) => {
        const isNeeded = each === own || rows < most;
        rows += each.rows.length;
        return isNeeded;
      });
      const found = await view.pieces(
        next.map((each) => ({ head: each.head, numbers: [...new Set(Array.from(each.rows, pieceOf))] })),
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
