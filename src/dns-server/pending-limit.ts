import { addressKey } from '../resolver/identity/address-key.ts';

const MAX_PENDING = 10_000;
const MAX_PENDING_PER_CLIENT = 1_000;
const BUSY = 100;

/** Limits the forwarded queries that wait for an upstream. Beyond the limit queries are dropped: more would only delay all of them. */
export function pendingLimit() {
  const byClient = new Map<string, number>();
  let total = 0;
  return {
    /** Undefined if a limit is reached. */
    enter(client: Uint8Array) {
      const key = addressKey(client);
      const count = byClient.get(key) ?? 0;
      if (total >= MAX_PENDING || count >= MAX_PENDING_PER_CLIENT) return undefined;
      byClient.set(key, count + 1);
      total += 1;
      return {
        leave(): void {
          total -= 1;
          const left = (byClient.get(key) ?? 1) - 1;
          if (left > 0) byClient.set(key, left);
          else byClient.delete(key);
        },
        isBusy: (): boolean => (byClient.get(key) ?? 0) > BUSY,
      };
    },
  };
}
