import { end, get, start } from './block';
import { copyVectors, LF } from './bytes';

/** Writes each line of the block after a line break at the given offset; returns the end offset. */
export function writeLines(count: i32, place: usize): usize {
  let to = place;
  for (let line = 0; line < count; line++) {
    store<u8>(to++, LF);
    const from = get(start, line);
    const length = get(end, line) - from;
    copyVectors(to, from, length);
    to += length;
  }
  return to;
}
