type Waiting = { readonly start: () => void; readonly refuse: (error: Error) => void };
type Lane = { readonly turns: Map<string, Waiting[]>; waiting: number };

export type FairQueueLimits = {
  readonly atOnce: number;
  /** Limit of each of the two lanes. */
  readonly maxWaiting: number;
  readonly maxWaitingPerKey: number;
  /** Maximum number of known keys. */
  readonly maxKnown: number;
};

export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * Runs a few jobs at a time, round robin over keys. Known keys wait in a separate lane that gets every other turn, so
 * that unknown keys, however many, cannot displace them. In a full lane a key with fewer jobs displaces the last job of
 * the key with the most.
 */
export function fairQueue({ atOnce, maxWaiting, maxWaitingPerKey, maxKnown }: FairQueueLimits) {
  const lanes = { knownKeys: newLane(), unknown: newLane() };
  const knownKeys = new Set<string>();
  let running = 0;
  let isKnownNext = true;

  const laneOf = (key: string): Lane => (knownKeys.has(key) ? lanes.knownKeys : lanes.unknown);

  const hasRoom = (key: string): boolean => {
    if (running < atOnce) return true;
    const lane = laneOf(key);
    const queued = lane.turns.get(key)?.length ?? 0;
    if (queued >= maxWaitingPerKey) return false;
    return lane.waiting < maxWaiting || (busiest(lane)?.length ?? 0) > queued + 1;
  };

  const enqueue = (key: string, waiting: Waiting): void => {
    const lane = laneOf(key);
    if (lane.waiting >= maxWaiting) {
      busiest(lane)!.pop()!.refuse(new QueueFull('displaced by a key with fewer waiting jobs'));
      lane.waiting--;
    }
    const queued = lane.turns.get(key) ?? [];
    lane.turns.set(key, queued);
    queued.push(waiting);
    lane.waiting++;
  };

  const startNext = (): void => {
    const [first, second] = isKnownNext ? [lanes.knownKeys, lanes.unknown] : [lanes.unknown, lanes.knownKeys];
    isKnownNext = !isKnownNext;
    const next = takeTurn(first) ?? takeTurn(second);
    next?.start();
  };

  return {
    /** Whether `run` would accept a job of this key now. */
    hasRoom,
    /** Rejects with QueueFull if too many wait. */
    async run<T>(key: string, job: () => Promise<T>): Promise<T> {
      if (!hasRoom(key)) throw new QueueFull('too many jobs wait');
      if (running < atOnce) running++;
      // A finished job passes its slot to the next one, so `running` does not change.
      else await new Promise<void>((start, refuse) => enqueue(key, { start, refuse }));
      try {
        return await job();
      } finally {
        if (lanes.knownKeys.waiting + lanes.unknown.waiting > 0) startNext();
        else running--;
      }
    },
    /** The least recently used keys are dropped. */
    noteKnown(key: string): void {
      knownKeys.delete(key);
      knownKeys.add(key);
      if (knownKeys.size > maxKnown) knownKeys.delete(knownKeys.keys().next().value!);
    },
  };
}

const newLane = (): Lane => ({ turns: new Map(), waiting: 0 });

function busiest({ turns }: Lane): Waiting[] | undefined {
  let most: Waiting[] | undefined;
  for (const waiting of turns.values()) if (waiting.length > (most?.length ?? 0)) most = waiting;
  return most;
}

/** The first job of the key whose turn it is; the key goes to the end. */
function takeTurn(lane: Lane): Waiting | undefined {
  for (const [key, waiting] of lane.turns) {
    lane.turns.delete(key);
    const next = waiting.shift();
    if (waiting.length > 0) lane.turns.set(key, waiting);
    if (!next) continue;
    lane.waiting--;
    return next;
  }
  return undefined;
}
