import type { UpstreamAnswer } from './upstream-answer.ts';

/** Caches failures, so that failed queries are not repeated immediately (RFC 9520). */
export type FailureMemory = {
  readonly recall: (key: string) => UpstreamAnswer | undefined;
  readonly remember: (key: string, outcome: UpstreamAnswer) => void;
  readonly forget: (key: string) => void;
  /** Deletes cached timeouts, because an upstream answers again. */
  readonly forgetSilence: () => void;
};

type Entry = {
  readonly outcome: UpstreamAnswer;
  readonly until: number;
  readonly times: number;
  readonly silence: number;
};

const FIRST_MS = 1000;
// Failure responses concern the name, so their back-off may be longer than that of timeouts, which concern the upstreams.
const MAX_ANSWER_MS = 30_000;
const MAX_SILENCE_MS = 5000;
// A failure within this time after the previous one expired extends the back-off.
const GROWS_WITHIN_MS = 30_000;
const MAX_ENTRIES = 10_000;

export function failureMemory(now: () => number): FailureMemory {
  const byKey = new Map<string, Entry>();
  let silence = 0;

  const currentEntry = (key: string): Entry | undefined => {
    const entry = byKey.get(key);
    return entry && isSilence(entry.outcome) && entry.silence !== silence ? undefined : entry;
  };

  return {
    recall(key) {
      const entry = currentEntry(key);
      return entry && now() < entry.until ? entry.outcome : undefined;
    },
    remember(key, outcome) {
      const before = currentEntry(key);
      const times = before && now() < before.until + GROWS_WITHIN_MS ? before.times + 1 : 1;
      const longest = isSilence(outcome) ? MAX_SILENCE_MS : MAX_ANSWER_MS;
      const until = now() + Math.min(FIRST_MS * 2 ** Math.min(times - 1, 10), longest);
      // Deleted and inserted again, so that entries are ordered by age.
      byKey.delete(key);
      byKey.set(key, { outcome, until, times, silence });
      for (const oldest of byKey.keys()) {
        if (byKey.size <= MAX_ENTRIES) break;
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
