// Verdict cache: a repeated decision on a name costs one memory access, independent of the number of lists. A cache line holds
// four verdicts, keyed by the fingerprint of the name and the number of the rule set.

const LINE_SHIFT: usize = 6;
const LINE: usize = 64;
const VERDICT: usize = 16;
const NUMBER_FACTOR: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

/** The cached verdict: two words defined by the caller; the first is not 0. */
export const cachedVerdict = memory.data(8, 16);

let linesAt: usize = 0;
let lastLine: usize = 0;
let known: u64 = 0;
let line: usize = 0;
let turn: usize = 0;

/** Sets the number of cache lines, a power of two; the memory must be zero. */
export function initVerdictCache(at: usize, lines: usize): void {
  linesAt = at;
  lastLine = lines - 1;
}

/** Whether a verdict is cached. Rule set numbers start at 1; nothing is cached for 0. */
export function getVerdict(fingerprint: u64, rules: u32): bool {
  line = 0;
  if (rules === 0 || linesAt === 0) return false;
  known = fingerprint ^ (<u64>rules * NUMBER_FACTOR);
  line = linesAt + ((<usize>known & lastLine) << LINE_SHIFT);
  for (let at = line; at < line + LINE; at += VERDICT) {
    if (load<u64>(at) !== known) continue;
    store<u64>(cachedVerdict, load<u64>(at, 8));
    return load<u32>(at, 8) !== 0;
  }
  return false;
}

/** Caches the verdict of the last name, in a free slot or replacing another. */
export function putVerdict(place: u32, slot: u32): void {
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
