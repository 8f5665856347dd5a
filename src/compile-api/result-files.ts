import { LRUCache } from 'lru-cache';
import { forEachLimit } from '../kit/concurrency.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { messageOf } from '../kit/message-of.ts';
import type { Found, ResultAbout, ResultCache } from './result-cache.ts';
import { type Head, pack, packRenewed } from './result-file.ts';
import { type ResultFolder, resultFolder, type Unusable } from './result-folder.ts';
import { resultIndex } from './result-index.ts';

export type ResultFilesOptions = {
  readonly folder: string;
  /** For all files together, each counted in whole blocks of 4 KiB, as a disk counts. */
  readonly maxBytes: number;
  /** A larger file is not kept. */
  readonly maxEntryBytes: number;
  readonly freshMs: number;
  /** In milliseconds, never going back. */
  readonly now: () => number;
  /** In milliseconds since 1970. */
  readonly wallNow: () => number;
  /** The cache goes on; somebody should know. */
  readonly onProblem: (problem: Error) => void;
};

type OnDisk = { readonly key: string; readonly contentId: string; readonly bytes: number; readonly expiresAt: number };
type InMemory = OnDisk & { readonly about: ResultAbout; readonly gzippedList: Buffer };

const BLOCK_BYTES = 4096;
const FILES_AT_ONCE = 16;
// What stays in memory of results on disk, beside a few numbers for each.
const MAX_ABOUT_BYTES = 16 * 1024 * 1024;
// For results that the disk does not take.
const MAX_IN_MEMORY_BYTES = 16 * 1024 * 1024;

/**
 * Keeps results as files. What is written, renewed or removed under one key happens in turn; reading never waits. A
 * folder that cannot be used is a problem and no failure: then the last few results are kept in memory.
 */
export async function openResultFiles(options: ResultFilesOptions): Promise<ResultCache> {
  const { maxBytes, maxEntryBytes, freshMs, now, wallNow, onProblem } = options;
  const folder = resultFolder(options.folder);
  const onDisk = resultIndex<OnDisk>({ maxBytes });
  const inMemory = resultIndex<InMemory>({ maxBytes: MAX_IN_MEMORY_BYTES });
  const abouts = new LRUCache<string, ResultAbout>({ maxSize: MAX_ABOUT_BYTES });
  const turn = keyedMutex();

  const attempt = async <T>(whatFails: string, job: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await job();
    } catch (error) {
      onProblem(new Error(`${whatFails}: ${messageOf(error)}`, { cause: error }));
      return undefined;
    }
  };

  const put = (entry: OnDisk): readonly OnDisk[] => onDisk.put(entry, inBlocks(entry.bytes));

  const forget = (key: string): void => {
    onDisk.forget(key);
    inMemory.forget(key);
    abouts.delete(key);
  };

  const remove = (key: string) => attempt('cannot delete a cached result', () => folder.remove(key));

  /** Must not be waited for in a turn: two that push each other out would wait for ever. */
  const removeAll = (gone: readonly OnDisk[]): Promise<void> =>
    forEachLimit(FILES_AT_ONCE, gone, ({ key }) =>
      turn(key, async () => {
        // It may have been saved again while this waited for its turn.
        if (onDisk.get(key)) return;
        abouts.delete(key);
        await remove(key);
      }),
    );

  /** To be called in turn, since only then what is removed is what was read. */
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
    const about = entry && abouts.get(key);
    return about ? foundAs(about, entry) : entry && findOnDisk(entry);
  }

  const findOnDisk = (entry: OnDisk): Promise<Found | undefined> =>
    attempt('cannot read a cached result', async () => {
      const read = await folder.readAbout(entry.key);
      if (onDisk.get(entry.key) !== entry) return find(entry.key);
      if (read.kind === 'about') {
        abouts.set(entry.key, read.about, { size: read.bytes });
        return foundAs(read.about, entry);
      }
      await turn(entry.key, () => dropUnusable(entry, read));
      return undefined;
    });

  const readOnDisk = (entry: OnDisk): Promise<{ contentId: string; gzippedList: Buffer } | undefined> =>
    attempt('cannot read a cached result', async () => {
      const read = await folder.readWhole(entry.key);
      // A copy: whoever keeps the list shall not keep the whole file with it.
      if (read.kind === 'whole') return { contentId: read.head.contentId, gzippedList: Buffer.from(read.gzippedList) };
      await turn(entry.key, () => dropUnusable(entry, read));
      return undefined;
    });

  /** Gives back what had to go. */
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
    // From here on what was kept before is outdated, also when its successor is not kept.
    forget(key);
    if (isWritten) {
      abouts.set(key, about, { size: packed.head.details.bytes });
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
   * Rewrites the file with a later date in its head. To change the time of the file itself would be cheaper, but whoever
   * copies or restores a folder changes that too, and would make everything in it new.
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

  /** A date in the future tells that a clock was wrong, then or now: who knows how old it is. */
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

/** Of all files, those that were longest not written first; what is no result, or none of this layout, is removed. */
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
