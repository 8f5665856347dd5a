import { addressKey } from '../resolver/identity/address-key.ts';

const MOST_WAITING = 10_000;
const MOST_OF_ONE = 1_000;
const BUSY = 100;

/** How many answers each client waits for. Beyond a bound queries are dropped: more of them would only make all of them late. */
export function waitingClients() {
  const ofClient = new Map<string, number>();
  let all = 0;
  return {
    /** Nothing when there is no room. */
    enter(client: Uint8Array) {
      const key = addressKey(client);
      const own = ofClient.get(key) ?? 0;
      if (all >= MOST_WAITING || own >= MOST_OF_ONE) return undefined;
      ofClient.set(key, own + 1);
      all += 1;
      return {
        leave(): void {
          all -= 1;
          const left = (ofClient.get(key) ?? 1) - 1;
          if (left > 0) ofClient.set(key, left);
          else ofClient.delete(key);
        },
        isBusy: (): boolean => (ofClient.get(key) ?? 0) > BUSY,
      };
    },
  };
}
