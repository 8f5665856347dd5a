import type { AsciiBytes } from '../ascii-bytes.ts';

/**
 * State of regular-expression matching in one thread: the remaining budget of the current decision, working memory, and the
 * cached automata.
 */
export type RegexRunner = {
  /** Negative once the decision has used up its steps; the remaining expressions are skipped. */
  stepsLeft: number;
  /** States that the decision may still add to automata; afterwards it continues without adding any. */
  statesLeft: number;
  readonly automata: AutomatonMemory;
  readonly scratch: Scratch;
};

/** Tests one expression; also false if the steps do not suffice: see `stepsLeft`. */
export type TestBytes = (name: AsciiBytes, runner: RegexRunner) => boolean;

/** Working memory of one step over a set of program steps. Shared by all expressions of a thread. */
export type Scratch = {
  waiting: Uint16Array;
  reached: Uint16Array;
  spare: Uint16Array;
  /** Round in which a program step was last visited. */
  metIn: Int32Array;
  reachedIn: Int32Array;
  round: number;
  /** Program steps that the last round visited. */
  visited: number;
};

const FIRST_ROOM = 256;

const scratchOf = (steps: number): Omit<Scratch, 'round' | 'visited'> => ({
  waiting: new Uint16Array(steps),
  reached: new Uint16Array(steps),
  spare: new Uint16Array(steps),
  metIn: new Int32Array(steps),
  reachedIn: new Int32Array(steps),
});

const MAX_ROUND = 2 ** 30;

/** Call before each step over a set of program steps. */
export function startRound(scratch: Scratch, steps: number): void {
  if (scratch.waiting.length < steps) Object.assign(scratch, scratchOf(2 * steps), { round: 0 });
  if (scratch.round === MAX_ROUND) {
    scratch.metIn.fill(0);
    scratch.reachedIn.fill(0);
    scratch.round = 0;
  }
  scratch.round += 1;
}

export const createScratch = (): Scratch => ({ ...scratchOf(FIRST_ROOM), round: 0, visited: 0 });

/** The automata of one table: their memory is accounted together, and they are dropped together. */
export type AutomatonHolder = { bytes: number; usedAt: number; readonly automata: Set<{ drop(): void }> };

export const createHolder = (): AutomatonHolder => ({ bytes: 0, usedAt: 0, automata: new Set() });

/** Bounds of what automata take in one thread, all together and those of one holder. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_BYTES_OF_ONE = 1024 * 1024;
const IDLE_SECONDS = 30;

export type AutomatonMemory = ReturnType<typeof createAutomatonMemory>;

/**
 * Counts the bytes of automata. A holder beyond its share loses its own; beyond the bound of all, the holder that was not used for
 * longest loses its automata. Automata unused for 30 s are dropped: their rules may have been removed.
 */
export function createAutomatonMemory(maxBytes = MAX_BYTES, maxBytesOfOne = MAX_BYTES_OF_ONE) {
  // In order of last use.
  const holders = new Set<AutomatonHolder>();
  let bytes = 0;
  let seconds = 0;
  let latest: AutomatonHolder | undefined;

  const drop = (holder: AutomatonHolder): void => {
    for (const automaton of holder.automata) automaton.drop();
    holder.automata.clear();
    bytes -= holder.bytes;
    holder.bytes = 0;
    holders.delete(holder);
    if (latest === holder) latest = undefined;
  };

  const use = (holder: AutomatonHolder): void => {
    holder.usedAt = seconds;
    if (holder === latest) return;
    holders.delete(holder);
    holders.add(holder);
    latest = holder;
  };

  return {
    use,
    /** False when the holder had too many bytes already: then all its automata are gone, this one as well. */
    take(holder: AutomatonHolder, more: number): boolean {
      if (holder.bytes + more > maxBytesOfOne) {
        drop(holder);
        return false;
      }
      use(holder);
      holder.bytes += more;
      bytes += more;
      for (const oldest of holders) {
        if (bytes <= maxBytes || oldest === holder) break;
        drop(oldest);
      }
      return true;
    },
    /** Call periodically with a monotonic clock in seconds. */
    tidy(now: number): void {
      seconds = now;
      for (const holder of holders) {
        if (holder.usedAt > now - IDLE_SECONDS) break;
        drop(holder);
      }
    },
    bytes: (): number => bytes,
  };
}

/** Without a limit on steps unless one is set. */
export const createRunner = (automata = createAutomatonMemory()): RegexRunner => ({
  stepsLeft: Infinity,
  statesLeft: Infinity,
  automata,
  scratch: createScratch(),
});
