/** So many at once, then as many as come back in time. */
type Allowance = {
  /** True while there is some left. */
  readonly take: () => boolean;
  readonly earn: (more: number) => void;
};

function createAllowance(burst: number, perSecond: number, now: () => number): Allowance {
  let left = burst;
  let since = now();
  return {
    take() {
      const at = now();
      left = Math.min(burst, left + ((at - since) / 1000) * perSecond) - 1;
      since = at;
      if (left >= 0) return true;
      left = 0;
      return false;
    },
    earn(more) {
      left = Math.min(burst, left + more);
    },
  };
}

export type Allowances = ReturnType<typeof createAllowances>;

/** There are clients that say a word about each request, as of its priority. */
const WORDS_FOR_A_REQUEST = 2;
/** A client that has read a DATA frame widens the window of its stream and that of the connection. */
const WIDENINGS_FOR_DATA = 2;

/** How much of what makes work without asking for anything one connection may send. */
export function createAllowances(now: () => number) {
  const resets = createAllowance(200, 7, now);
  const talk = createAllowance(1000, 50, now);
  const widenings = createAllowance(1000, 50, now);
  return {
    /** Streams that are opened only to be reset (CVE-2023-44487), or such that we must reset (CVE-2025-8671). */
    mayReset: resets.take,
    /** What asks for an answer of the protocol, or for nothing: settings, pings, empty frames, frames of no known type. */
    mayTalk: talk.take,
    hasAsked: () => talk.earn(WORDS_FOR_A_REQUEST),
    /** WINDOW_UPDATE. Clients send them for data that they have read, so as many as data was sent are free. */
    mayWiden: widenings.take,
    hasSentData: () => widenings.earn(WIDENINGS_FOR_DATA),
  };
}
