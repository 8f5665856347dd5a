/** Token bucket. */
type Allowance = {
  /** Takes a token; returns false if all are used. */
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

/** Some clients send a frame such as PRIORITY for each request. */
const WORDS_FOR_A_REQUEST = 2;
/** A client that has read a DATA frame updates the window of its stream and that of the connection. */
const WIDENINGS_FOR_DATA = 2;

/** Limits on frames that cause work without a request, per connection. */
export function createAllowances(now: () => number) {
  const resets = createAllowance(200, 7, now);
  const talk = createAllowance(1000, 50, now);
  const widenings = createAllowance(1000, 50, now);
  return {
    /** Streams that the client resets (CVE-2023-44487), or that it makes us reset (CVE-2025-8671). */
    mayReset: resets.take,
    /** Frames that need an acknowledgement or have no effect: settings, pings, empty frames, frames of unknown types. */
    mayTalk: talk.take,
    hasAsked: () => talk.earn(WORDS_FOR_A_REQUEST),
    /** WINDOW_UPDATE frames. Clients send them for received data, so two per DATA frame are free. */
    mayWiden: widenings.take,
    hasSentData: () => widenings.earn(WIDENINGS_FOR_DATA),
  };
}
