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
export type AutomatonHolder = {
  /** The account whose rules the table contains; undefined for tables of the operator. */
  readonly account: string | undefined;
  bytes: number;
  usedAt: number;
  share: AccountShare | undefined;
  readonly automata: Set<{ drop(): void }>;
};

/** The cached automata of one account; tables in order of last use. */
type AccountShare = { bytes: number; readonly holders: Set<AutomatonHolder> };

export const createHolder = (account?: string): AutomatonHolder => ({
  account,
  bytes: 0,
  usedAt: 0,
  share: undefined,
  automata: new Set(),
});

/** Limits per thread: all automata, those of one account, and those of one table. */
const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_ACCOUNT_BYTES = 2 * 1024 * 1024;
const MAX_TABLE_BYTES = 1024 * 1024;
const IDLE_SECONDS = 30;

export type AutomatonMemory = ReturnType<typeof createAutomatonMemory>;

/**
 * Accounts the bytes of cached automata. A table above its limit loses its own automata. Above the limit of an account,
 * the account's least recently used table loses them; above the limit of the thread, the least recently used table of
 * all. Automata unused for 30 s are dropped.
 */
export function createAutomatonMemory(
  maxBytes = MAX_BYTES,
  maxAccountBytes = MAX_ACCOUNT_BYTES,
  maxTableBytes = MAX_TABLE_BYTES,
) {
  // In order of last use.
  const holders = new Set<AutomatonHolder>();
  const shares = new Map<string, AccountShare>();
  let bytes = 0;
  let seconds = 0;
  let latest: AutomatonHolder | undefined;

  const drop = (holder: AutomatonHolder): void => {
    if (!holders.delete(holder)) return;
    for (const automaton of holder.automata) automaton.drop();
    holder.automata.clear();
    bytes -= holder.bytes;
    const { share, account } = holder;
    if (share) {
      share.bytes -= holder.bytes;
      share.holders.delete(holder);
      if (share.holders.size === 0) shares.delete(account!);
    }
    holder.share = undefined;
    holder.bytes = 0;
    if (latest === holder) latest = undefined;
  };

  const add = (holder: AutomatonHolder): void => {
    holders.add(holder);
    if (holder.account === undefined) return;
    holder.share = shares.get(holder.account) ?? { bytes: 0, holders: new Set() };
    shares.set(holder.account, holder.share);
    holder.share.holders.add(holder);
  };

  /** Moves the table to the end of the order of last use, if it has cached automata here. */
  const use = (holder: AutomatonHolder): void => {
    holder.usedAt = seconds;
    if (holder === latest || !holders.delete(holder)) return;
    holders.add(holder);
    if (holder.share?.holders.delete(holder)) holder.share.holders.add(holder);
    latest = holder;
  };

  return {
    use,
    /** False if the table would exceed its limit: then all its automata are dropped. */
    take(holder: AutomatonHolder, more: number): boolean {
      if (holder.bytes + more > maxTableBytes) {
        drop(holder);
        return false;
      }
      if (!holders.has(holder)) add(holder);
      use(holder);
      holder.bytes += more;
      bytes += more;
      const { share } = holder;
      if (share) {
        share.bytes += more;
        for (const oldest of share.holders) {
          if (share.bytes <= maxAccountBytes || oldest === holder) break;
          drop(oldest);
        }
      }
      for (const oldest of holders) {
        if (bytes <= maxBytes || oldest === holder) break;
        drop(oldest);
      }
      return true;
    },
    /** Drops the automata of a table that is no longer used. */
    release: drop,
    /** Drops the automata of all tables of an account. */
    releaseAccount(account: string): void {
      for (const holder of shares.get(account)?.holders ?? []) drop(holder);
    },
    /** Call periodically with a monotonic clock in seconds. */
    evict(now: number): void {
      seconds = now;
      for (const holder of holders) {
        if (holder.usedAt > now - IDLE_SECONDS) break;
        drop(holder);
      }
    },
    bytes: (): number => bytes,
    bytesOf: (account: string): number => shares.get(account)?.bytes ?? 0,
  };
}

/** The automata of this thread; each thread loads its own instance of this module. */
export const threadAutomata = createAutomatonMemory();

/** Without a limit on steps unless one is set. */
export const createRunner = (automata = createAutomatonMemory()): RegexRunner => ({
  stepsLeft: Infinity,
  statesLeft: Infinity,
  automata,
  scratch: createScratch(),
});
