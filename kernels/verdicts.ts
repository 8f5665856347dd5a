// What was decided on names lately: whoever asks for one of them again is answered after one look at memory, however many
// lists there are. A line of memory has four verdicts; each is known by the fingerprint of its name, together with the
// number of the rules that decided.

const LINE_SHIFT: usize = 6;
const LINE: usize = 64;
const VERDICT: usize = 16;
const NUMBER_FACTOR: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

/** The verdict that was recalled: two words that mean something to the caller. The first is not 0. */
export const recalled = memory.data(8, 16);

let linesAt: usize = 0;
let lastLine: usize = 0;
let known: u64 = 0;
let line: usize = 0;
let turn: usize = 0;

/** Verdicts are kept in so many lines of memory, a power of two, that are all zero yet. */
export function keepVerdicts(at: usize, lines: usize): void {
  linesAt = at;
  lastLine = lines - 1;
}

/** Whether there is a verdict. Numbers of rules begin with 1; for 0 nothing is known, and nothing is remembered. */
export function recall(fingerprint: u64, rules: u32): bool {
  line = 0;
  if (rules === 0 || linesAt === 0) return false;
  known = fingerprint ^ (<u64>rules * NUMBER_FACTOR);
  line = linesAt + ((<usize>known & lastLine) << LINE_SHIFT);
  for (let at = line; at < line + LINE; at += VERDICT) {
    if (load<u64>(at) !== known) continue;
    store<u64>(recalled, load<u64>(at, 8));
    return load<u32>(at, 8) !== 0;
  }
  return false;
}

/** Keeps a verdict on the name that was looked for last: where there is none yet, or instead of some other. */
export function remember(place: u32, slot: u32): void {
  if (line === 0) return;
  let to = line;
  while (to < line + LINE && load<u32>(to, 8) !== 0) to += VERDICT;
  if (to === line + LINE) {
    turn = (turn + VERDICT) & (LINE - 1);
    to = line + turn;
  }
  store<u64>(to, known);
  store<u32>(to, place, 8);
  store<u32>(to, slot, 12);
}
