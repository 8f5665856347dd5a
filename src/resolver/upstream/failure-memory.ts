import type { UpstreamAnswer } from './upstream-answer.ts';

/** Caches failures, so that failed queries are not repeated immediately (RFC 9520). */
export type FailureMemory = {
  readonly recall: (key: string) => UpstreamAnswer | undefined;
  readonly remember: (key: string, outcome: UpstreamAnswer) => void;
  readonly forget: (key: string) => void;
  /** An upstream is back: forgets the failures that were only timeouts. */
  readonly forgetSilence: () => void;
};

type Remembered = {
  readonly outcome: UpstreamAnswer;
  readonly until: number;
  readonly times: number;
  readonly silence: number;
};

const FIRST_MS = 1000;
// A failure answer concerns the name, a timeout only the upstreams.
const LONGEST_FOR_ANSWER_MS = 30_000;
const LONGEST_FOR_SILENCE_MS = 5000;
// A failure within this time after the previous one expired extends the back-off.
const GROWS_WITHIN_MS = 30_000;
const MAX_REMEMBERED = 10_000;

export function failureMemory(now: () => number): FailureMemory {
  const byKey = new Map<string, Remembered>();
  let silence = 0;

  const known = (key: string): Remembered | undefined => {
    const found = byKey.get(key);
    return found && isSilence(found.outcome) && found.silence !== silence ? undefined : found;
  };

  return {
    recall(key) {
      const found = known(key);
      return found && now() < found.until ? found.outcome : undefined;
    },
    remember(key, outcome) {
      const before = known(key);
      const times = before && now() < before.until + GROWS_WITHIN_MS ? before.times + 1 : 1;
      const longest = isSilence(outcome) ? LONGEST_FOR_SILENCE_MS : LONGEST_FOR_ANSWER_MS;
      const until = now() + Math.min(FIRST_MS * 2 ** Math.min(times - 1, 10), longest);
      // Inserted again, so that the oldest entries come first.
      byKey.delete(key);
      byKey.set(key, { outcome, until, times, silence });
      for (const oldest of byKey.keys()) {
        if (byKey.size <= MAX_REMEMBERED) break;
        byKey.delete(oldest);
      }
    },
    forget: (key) => {
      byKey.delete(key);
    },
    forgetSilence: () => {
      silence++;
    },
  };
}

const isSilence = (outcome: UpstreamAnswer): boolean => outcome.kind === 'failed' && outcome.why !== 'malformed';
