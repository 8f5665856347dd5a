import { LRUCache } from 'lru-cache';
import { forEachLimit } from '../kit/concurrency.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { messageOf } from '../kit/message-of.ts';
import { type Head, pack, packRenewed, type ResultFolder, resultFolder, type Unusable } from './result-folder.ts';

export type ResultAbout = {
  /** See result-key.ts. */
  readonly key: string;
  /** SHA-256 of the list's bytes, in hex. */
  readonly contentId: string;
  /** In ISO 8601. */
  readonly compiledAt: string;
  readonly ruleCount: number;
  /** Length of the list, not compressed. */
  readonly listBytes: number;
  /** To compile it again for subscribers. */
  readonly configuration: unknown;
  /** JSON metadata, opaque to the cache. */
  readonly extra: unknown;
  /** Validators of the sources. */
  readonly validators: readonly (readonly [url: string, validator: string])[] | undefined;
};

export type Found = { readonly about: ResultAbout; readonly isFresh: boolean };

export type ResultCache = {
  /** Also returns expired results, as the previous version. */
  find(key: string): Found | undefined | Promise<Found | undefined>;
  findByContent(contentId: string): Found | undefined | Promise<Found | undefined>;
  /**
   * The stored gzip-compressed list; undefined if it is missing or damaged. With `contentId`, undefined if another save
   * has replaced the list since `find`.
   */
  read(key: string, contentId?: string): Promise<Buffer | undefined>;
  /** Resolves after the write; from then on `find` returns the result. */
  save(about: ResultAbout, gzippedList: Uint8Array): Promise<void>;
  /** The sources are unchanged: makes the result fresh again. */
  renew(key: string): Promise<void>;
};

type Entry = { readonly key: string; readonly contentId: string };

/** LRU index of the stored results up to a total of bytes, by key and by content. */
export function resultIndex<E extends Entry>({ maxBytes }: { maxBytes: number }) {
  // Two configurations may have the same list as result.
  const keysOf = new Map<string, Set<string>>();
  let evicted: E[] = [];
  const byKey = new LRUCache<string, E>({
    // LRUCache requires at least 1; `put` rejects entries larger than `maxBytes`.
    maxSize: Math.max(1, maxBytes),
    dispose: (entry, key, reason) => {
      const keys = keysOf.get(entry.contentId);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(entry.contentId);
      if (reason === 'evict') evicted.push(entry);
    },
  });

  return {
    /** Marks the entry as recently used. */
    get: (key: string): E | undefined => byKey.get(key),
    getByContent(contentId: string): E | undefined {
      const [key] = keysOf.get(contentId) ?? [];
      return key === undefined ? undefined : byKey.get(key);
    },
    /** Returns the evicted entries; this includes the new one if it is larger than `maxBytes`. */
    put(entry: E, bytes: number): readonly E[] {
      byKey.delete(entry.key);
      if (bytes > maxBytes) return [entry];
      evicted = [];
      byKey.set(entry.key, entry, { size: bytes });
      keysOf.set(entry.contentId, (keysOf.get(entry.contentId) ?? new Set()).add(entry.key));
      return evicted;
    },
    forget: (key: string): void => void byKey.delete(key),
  };
}

export type ResultCacheOptions = {
  readonly folder: string;
  /** Limit of all files, each rounded up to blocks of 4 KiB. */
  readonly maxBytes: number;
  /** Larger files are not stored. */
  readonly maxEntryBytes: number;
  readonly freshMs: number;
  /** Size of the memory cache in front of the files. */
  readonly memoryBytes?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** In milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Called on errors; the cache continues. */
  readonly onProblem: (problem: Error) => void;
};

type OnDisk = { readonly key: string; readonly contentId: string; readonly bytes: number; readonly expiresAt: number };
/** A result on disk that was used recently. The list is loaded with the first read. */
type Cached = { readonly about: ResultAbout; readonly aboutBytes: number; readonly gzippedList?: Buffer };
type InMemory = OnDisk & { readonly about: ResultAbout; readonly gzippedList: Buffer };

const MEMORY_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 4096;
const FILES_AT_ONCE = 16;
// Fallback for results that could not be written to disk.
const MAX_IN_MEMORY_BYTES = 16 * 1024 * 1024;

/**
 * Stores results as files, with a memory cache in front. Writes, renewals and removals of one key are serialised; reads
 * never wait. If the folder cannot be used, this is reported and the last results stay in memory.
 */
export async function openResultCache(options: ResultCacheOptions): Promise<ResultCache> {
  const { maxBytes, maxEntryBytes, freshMs, memoryBytes = MEMORY_BYTES, now, wallNow, onProblem } = options;
  const folder = resultFolder(options.folder);
  const onDisk = resultIndex<OnDisk>({ maxBytes });
  const inMemory = resultIndex<InMemory>({ maxBytes: MAX_IN_MEMORY_BYTES });
  const memory = new LRUCache<string, Cached>({ maxSize: memoryBytes });
  const turn = keyedMutex();

  const attempt = async <T>(whatFails: string, job: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await job();
    } catch (error) {
      onProblem(new Error(`${whatFails}: ${messageOf(error)}`, { cause: error }));
      return undefined;
    }
  };

  const cache = (cached: Cached): void =>
    void memory.set(cached.about.key, cached, {
      size: Math.max(1, cached.aboutBytes + (cached.gzippedList?.length ?? 0)),
    });

  const put = (entry: OnDisk): readonly OnDisk[] => onDisk.put(entry, inBlocks(entry.bytes));

  const forget = (key: string): void => {
    onDisk.forget(key);
    inMemory.forget(key);
    memory.delete(key);
  };

  const remove = (key: string) => attempt('cannot delete a cached result', () => folder.remove(key));

  /** Must not be awaited while holding a key: two saves that evict each other would deadlock. */
  const removeAll = (gone: readonly OnDisk[]): Promise<void> =>
    forEachLimit(FILES_AT_ONCE, gone, ({ key }) =>
      turn(key, async () => {
        // It may have been saved again meanwhile.
        if (onDisk.get(key)) return;
        memory.delete(key);
        await remove(key);
      }),
    );

  /** Call while holding the key, so that the removed file is the one that was read. */
  const dropUnusable = async (entry: OnDisk, { kind }: Unusable): Promise<void> => {
    if (onDisk.get(entry.key) !== entry) return;
    onProblem(new Error(`a cached result is ${kind} and will be compiled again: ${entry.key}`));
    forget(entry.key);
    await remove(entry.key);
  };

  const foundAs = (about: ResultAbout, { expiresAt }: OnDisk): Found => ({ about, isFresh: now() < expiresAt });

  function find(key: string): Found | undefined | Promise<Found | undefined> {
    const held = inMemory.get(key);
    if (held) return foundAs(held.about, held);
    const entry = onDisk.get(key);
    const cached = entry && memory.get(key);
    return cached ? foundAs(cached.about, entry) : entry && findOnDisk(entry);
  }

  const findOnDisk = (entry: OnDisk): Promise<Found | undefined> =>
    attempt('cannot read a cached result', async () => {
      const read = await folder.readAbout(entry.key);
      if (onDisk.get(entry.key) !== entry) return find(entry.key);
      if (read.kind === 'about') {
        cache({ about: read.about, aboutBytes: read.bytes });
        return foundAs(read.about, entry);
      }
      await turn(entry.key, () => dropUnusable(entry, read));
      return undefined;
    });

  const readOnDisk = (entry: OnDisk): Promise<{ contentId: string; gzippedList: Buffer } | undefined> =>
    attempt('cannot read a cached result', async () => {
      const read = await folder.readWhole(entry.key);
      // A copy, so that the list does not keep the whole file in memory.
      if (read.kind === 'whole') {
        const { contentId } = read.head;
        const gzippedList = Buffer.from(read.gzippedList);
        const cached = onDisk.get(entry.key) === entry ? memory.get(entry.key) : undefined;
        if (cached?.about.contentId === contentId) cache({ ...cached, gzippedList });
        return { contentId, gzippedList };
      }
      await turn(entry.key, () => dropUnusable(entry, read));
      return undefined;
    });

  /** Returns the evicted entries. */
  async function saveInTurn(
    about: ResultAbout,
    gzippedList: Uint8Array,
    expiresAt: number,
  ): Promise<readonly OnDisk[]> {
    const { key, contentId } = about;
    const packed = await attempt('cannot cache a result', async () => pack(about, gzippedList));
    const hasRoom = packed && packed.bytes <= maxEntryBytes && inBlocks(packed.bytes) <= maxBytes;
    const isWritten =
      hasRoom && (await attempt('cannot write a cached result', () => folder.write(packed).then(() => true)));
    // Removes the previous result, which is outdated even if the new one is not stored.
    forget(key);
    if (isWritten) {
      cache({ about, aboutBytes: packed.head.details.bytes });
      return put({ key, contentId, bytes: packed.bytes, expiresAt });
    }
    if (hasRoom) {
      const held = { key, contentId, bytes: packed.bytes, expiresAt, about, gzippedList: Buffer.from(gzippedList) };
      inMemory.put(held, held.bytes);
    }
    await remove(key);
    return [];
  }

  /**
   * Rewrites the file with a later date in its head. The file's own modification time would be cheaper, but copying or
   * restoring a folder changes it and would make all results fresh.
   */
  async function renewInTurn(key: string, expiresAt: number): Promise<readonly OnDisk[]> {
    const held = inMemory.get(key);
    if (held) inMemory.put({ ...held, expiresAt }, held.bytes);
    const entry = onDisk.get(key);
    const read = entry && (await attempt('cannot read a cached result', () => folder.readWhole(key)));
    if (!read) return [];
    if (read.kind !== 'whole') {
      await dropUnusable(entry, read);
      return [];
    }
    const packed = packRenewed(read, new Date(wallNow()).toISOString());
    await attempt('cannot update the time of a cached result; it applies until restart', () => folder.write(packed));
    return put({ ...entry, bytes: packed.bytes, expiresAt });
  }

  /** A date in the future means that a clock was wrong: the age is unknown. */
  function msLeft({ compiledAt, freshFrom }: Head): number {
    const age = wallNow() - Date.parse(freshFrom);
    return age >= 0 && Date.parse(compiledAt) <= wallNow() ? freshMs - age : 0;
  }

  await attempt('cannot write to the result cache folder', () => folder.prepare());
  await attempt('cannot read the result cache folder', async () => {
    const heads = await readHeads(folder, attempt);
    const gone = heads.flatMap(({ head, bytes }) =>
      put({ key: head.key, contentId: head.contentId, bytes, expiresAt: now() + msLeft(head) }),
    );
    await removeAll(gone);
  });

  return {
    find,
    findByContent(contentId) {
      const entry = inMemory.getByContent(contentId) ?? onDisk.getByContent(contentId);
      return entry && find(entry.key);
    },
    async read(key, contentId) {
      const entry = onDisk.get(key);
      const cached = entry && memory.get(key);
      if (cached?.gzippedList && (contentId === undefined || cached.about.contentId === contentId))
        return cached.gzippedList;
      const read = inMemory.get(key) ?? (entry && (await readOnDisk(entry)));
      return contentId === undefined || read?.contentId === contentId ? read?.gzippedList : undefined;
    },
    async save(about, gzippedList) {
      const expiresAt = now() + freshMs;
      await removeAll(await turn(about.key, () => saveInTurn(about, gzippedList, expiresAt)));
    },
    async renew(key) {
      const expiresAt = now() + freshMs;
      await removeAll(await turn(key, () => renewInTurn(key, expiresAt)));
    },
  };
}

const inBlocks = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

type KeptHead = { readonly head: Head; readonly bytes: number };
type Attempt = <T>(whatFails: string, job: () => Promise<T>) => Promise<T | undefined>;

/** Heads of all files, oldest first; removes invalid files and those of another layout. */
async function readHeads(folder: ResultFolder, attempt: Attempt): Promise<KeptHead[]> {
  const heads: KeptHead[] = [];
  await forEachLimit(FILES_AT_ONCE, await folder.keys(), (key) =>
    attempt('cannot read a cached result', async () => {
      const read = await folder.readHead(key);
      if (read.kind === 'head') heads.push(read);
      else await folder.remove(key);
      if (read.kind === 'damaged') throw new Error(`damaged result deleted: ${key}`);
    }),
  );
  const writtenAt = ({ head }: KeptHead): number => Date.parse(head.freshFrom);
  return heads.sort((a, b) => writtenAt(a) - writtenAt(b));
}
