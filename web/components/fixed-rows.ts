/** Which rows are drawn: so many from the first, each in an element of its own that another row may have had before. */
export type RowWindow = {
  readonly first: number;
  readonly size: number;
  /** Shifts which row is drawn in which element. */
  readonly turn: number;
  /** The first row that is seen; those before it are drawn for whoever scrolls back. */
  readonly firstSeen: number;
};

export type Seen = { readonly topPx: number; readonly heightPx: number; readonly rowPx: number };

/** Rows above and below what is seen: the screen may move before they could be drawn. */
const AROUND = 6;
/** Rows are exchanged so many at a time: most frames then have nothing to draw, and the browser moves what it has painted. */
const STEP = 8;

const countOf = ({ heightPx, rowPx }: Seen): number => Math.ceil(heightPx / rowPx) + 1;

export const windowAtTop = (seen: Seen): RowWindow => ({
  first: 0,
  size: countOf(seen) + 2 * AROUND + STEP,
  turn: 0,
  firstSeen: 0,
});

/** The window after something was scrolled or resized; the very same one if nothing has to be drawn. */
export function afterScroll(before: RowWindow, seen: Seen): RowWindow {
  const firstSeen = Math.max(0, Math.floor(seen.topPx / seen.rowPx));
  const count = countOf(seen);
  // By screens: then every row is drawn anew, and none more than are seen. Elements stay in their places, with other text in them.
  if (Math.abs(firstSeen - before.firstSeen) >= count) return { first: firstSeen, size: count, turn: 0, firstSeen };

  const first = Math.max(0, Math.floor((firstSeen - AROUND) / STEP) * STEP);
  const size = count + 2 * AROUND + STEP;
  if (first === before.first && size === before.size) return before;
  // By some rows: most stay in the elements that they have, which move.
  const moved = first - before.first;
  const turn = size === before.size ? (((before.turn + moved) % size) + size) % size : 0;
  return { first, size, turn, firstSeen };
}

/** The rows that are drawn of so many, with the element of each. */
export function drawnRows({ first, size, turn }: RowWindow, count: number): readonly { index: number; slot: number }[] {
  const from = Math.min(first, Math.max(0, count - size));
  return Array.from({ length: Math.min(size, count - from) }, (_, i) => ({ index: from + i, slot: (turn + i) % size }));
}
