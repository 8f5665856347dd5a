import type { Lines } from '../lines/lines.ts';
import type { Drop, Transformation } from './transformation.ts';

const BLOCK = 16384;

/** Works on the lines from `from` to before `to`. */
export type BlockTransformation = (lines: Lines, from: number, to: number, drop: Drop) => void;

/**
 * Runs a transformation that looks at each line alone on a block of lines after the other. A single loop over a
 * million lines in a function that is called once would spend its time in code that the engine replaces while it
 * runs; a function that is called often is made fast once.
 */
export const byBlock =
  (run: BlockTransformation): Transformation =>
  (lines, drop) => {
    for (let from = 0; from < lines.count; from += BLOCK) {
      run(lines, from, Math.min(from + BLOCK, lines.count), drop);
    }
  };

/** The same from the last block to the first, for what must know how the lines below fared. */
export function upwards<State>(
  lines: Lines,
  state: State,
  run: (from: number, to: number, state: State) => State,
): void {
  let current = state;
  for (let to = lines.count; to > 0; to -= BLOCK) current = run(Math.max(0, to - BLOCK), to, current);
}
