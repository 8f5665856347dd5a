export type SlotLimits = {
  readonly total: number;
  readonly perKey: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerKey: number;
};

export type Release = () => void;

type Waiting = { readonly key: string; readonly enter: () => void };

export class NoSlot extends Error {
  override readonly name = 'NoSlot';
  readonly why: 'too many waiting' | 'too many of this key waiting';

  constructor(why: NoSlot['why']) {
    super(why);
    this.why = why;
  }
}

/** Slots shared by keys: a key has at most `perKey`, and the next free slot goes to the key with the fewest. */
export function fairSlots({ total, perKey, maxWaiting, maxWaitingPerKey }: SlotLimits) {
  const used = new Map<string, number>();
  const waiting: Waiting[] = [];
  let inUse = 0;

  const usedBy = (key: string): number => used.get(key) ?? 0;

  function count(key: string, change: 1 | -1): void {
    inUse += change;
    const left = usedBy(key) + change;
    if (left === 0) used.delete(key);
    else used.set(key, left);
  }

  function serve(): void {
    while (inUse < total) {
      const next = waiting
        .filter(({ key }) => usedBy(key) < perKey)
        .reduce<Waiting | undefined>(
          (best, one) => (best && usedBy(best.key) <= usedBy(one.key) ? best : one),
          undefined,
        );
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      count(next.key, 1);
      next.enter();
    }
  }

  /** Rejects with a `NoSlot`, or with the reason of the signal. */
  function take(key: string, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const isFree = inUse < total && usedBy(key) < perKey;
      if (!isFree && waiting.length >= maxWaiting) return reject(new NoSlot('too many waiting'));
      if (!isFree && waiting.filter((one) => one.key === key).length >= maxWaitingPerKey)
        return reject(new NoSlot('too many of this key waiting'));
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(signal.reason);
      };
      const one: Waiting = {
        key,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(releaseOnce(key));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(one);
      serve();
    });
  }

  function releaseOnce(key: string): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      count(key, -1);
      serve();
    };
  }

  return { take, stats: () => ({ inUse, waiting: waiting.length }) };
}
