import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Found, ResultAbout, ResultCache } from '../compile-api/result-cache.ts';
import type { Valkey } from './open-valkey.ts';

type Options = { readonly freshMs: number; readonly maxEntryBytes: number };

const resultKey = (key: string): string => `result:${key}`;
const contentKey = (contentId: string): string => `content:${contentId}`;
const listKey = (contentId: string): string => `list:${contentId}`;

/** Results of all nodes. Those of this node are in its own cache, those of others on the server. */
export function sharedResults(local: ResultCache, { attempt }: Pick<Valkey, 'attempt'>, options: Options): ResultCache {
  const { freshMs, maxEntryBytes } = options;

  const aboutAt = async (key: string): Promise<Found | undefined> => {
    const text = (await attempt((client) => client.get(key)))?.value;
    // Entries expire at the end of their freshness.
    return text ? { about: JSON.parse(text) as ResultAbout, isFresh: true } : undefined;
  };

  return {
    find(key) {
      const localResult = local.find(key);
      if (localResult instanceof Promise)
        return localResult.then((found) => freshOr(found, () => aboutAt(resultKey(key))));
      return freshOr(localResult, () => aboutAt(resultKey(key)));
    },
    async findByContent(contentId) {
      return (await local.findByContent(contentId)) ?? aboutAt(contentKey(contentId));
    },
    async read(key, contentId) {
      const localResult = await local.read(key, contentId);
      if (localResult || contentId === undefined) return localResult;
      return (await attempt((client) => client.getBuffer(listKey(contentId))))?.value ?? undefined;
    },
    async save(about, gzippedList) {
      await local.save(about, gzippedList);
      if (gzippedList.length > maxEntryBytes) return;
      const text = JSON.stringify(about);
      const list = Buffer.from(gzippedList.buffer, gzippedList.byteOffset, gzippedList.length);
      await attempt((client) =>
        client
          .multi()
          .set(listKey(about.contentId), list, 'PX', freshMs)
          .set(contentKey(about.contentId), text, 'PX', freshMs)
          .set(resultKey(about.key), text, 'PX', freshMs)
          .exec(),
      );
    },
    async renew(key) {
      await local.renew(key);
      const found = await aboutAt(resultKey(key));
      if (!found) return;
      const { contentId } = found.about;
      const keys = [listKey(contentId), contentKey(contentId), resultKey(key)];
      await attempt((client) => Promise.all(keys.map((valkeyKey) => client.pexpire(valkeyKey, freshMs))));
    },
  };
}

/** Synchronous for a fresh result of this node, which is the most frequent case. */
function freshOr(
  localResult: Found | undefined,
  other: () => Promise<Found | undefined>,
): Found | Promise<Found | undefined> | undefined {
  return localResult?.isFresh ? localResult : other().then((found) => found ?? localResult);
}

const CLAIM_MS = 10_000;
const LOOK_AGAIN_MS = 100;

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Runs a job on one node only. Returns undefined if another node has run it and shared its result. The claim of a crashed node expires, and
 * the next node runs the job.
 */
export function oneNodeRuns({ attempt }: Pick<Valkey, 'attempt'>) {
  const node = randomUUID();
  return async <T>(key: string, signal: AbortSignal, run: () => Promise<T>): Promise<T | undefined> => {
    const claim = `compiling:${key}`;
    for (;;) {
      const taken = await attempt((client) => client.set(claim, node, 'PX', CLAIM_MS, 'NX'));
      // If the server is unavailable, each node runs its own jobs.
      if (!taken) return run();
      if (taken.value === 'OK') break;
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
      if ((await attempt((client) => client.exists(resultKey(key))))?.value === 1) return undefined;
    }
    const renewal = setInterval(() => void attempt((client) => client.pexpire(claim, CLAIM_MS)), CLAIM_MS / 3).unref();
    try {
      return await run();
    } finally {
      clearInterval(renewal);
      await attempt((client) => client.eval(RELEASE, 1, claim, node));
    }
  };
}
