import { clear, dropped, end, get, number, set, source, start } from './block';

/** Compacts the block: removes dropped lines and returns the number left. */
export function compactLines(count: i32): i32 {
  let kept = 0;
  for (let line = 0; line < count; line++) {
    if (load<u8>(dropped + line) !== 0) continue;
    set(start, kept, get(start, line));
    set(end, kept, get(end, line));
    set(source, kept, get(source, line));
    set(number, kept, get(number, line));
    store<u8>(clear + kept, load<u8>(clear + line));
    kept++;
  }
  return kept;
}
