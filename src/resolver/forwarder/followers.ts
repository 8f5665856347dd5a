import type { DnsRequest } from '../transport/listener.ts';
import type { Claims } from './claims.ts';
import type { WaitingClients } from './waiting-clients.ts';

const NONE = -1;
// The same as the longest time for which a thread waits for an upstream.
const MAX_WAIT_MS = 1_000;

type Followed = { readonly keyHigh: number; readonly keyLow: number; readonly since: number; firstWaiting: number };

export type FollowersDeps = {
  readonly waiting: WaitingClients;
  readonly claims: Pick<Claims, 'isOver'>;
  readonly nowMs: () => number;
  /** Called when the other thread has finished or its time has expired: answers the record from the cache or by a lookup. */
  readonly resume: (record: number) => void;
};

/** Clients that wait for the answer to a question that another thread has sent. */
export function createFollowers({ waiting, claims, nowMs, resume }: FollowersDeps) {
  let followed: Followed[] = [];
  return {
    isEmpty: (): boolean => followed.length === 0,
    add(
      { keyHigh, keyLow }: { readonly keyHigh: number; readonly keyLow: number },
      request: DnsRequest,
      peers: Uint8Array,
      peerAt: number,
    ): void {
      let one = followed.find((question) => question.keyHigh === keyHigh && question.keyLow === keyLow);
      if (!one) {
        one = { keyHigh, keyLow, since: nowMs(), firstWaiting: NONE };
        followed.push(one);
      }
      one.firstWaiting = waiting.add(request, peers, peerAt, one.firstWaiting);
    },
    /** Call this when another thread has finished a question, and regularly for expiry. */
    check(): void {
      if (followed.length === 0) return;
      const now = nowMs();
      const isOver = ({ keyHigh, keyLow, since }: Followed): boolean =>
        claims.isOver(keyHigh, keyLow) || now - since > MAX_WAIT_MS;
      const over = followed.filter(isOver);
      if (over.length === 0) return;
      followed = followed.filter((question) => !over.includes(question));
      for (const { firstWaiting } of over)
        for (let record = firstWaiting; record !== NONE; ) {
          const next = waiting.next(record);
          resume(record);
          waiting.remove(record);
          record = next;
        }
    },
  };
}
