import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonLine } from '../kit/json-lines.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import { accountLines } from './account-lines.ts';
import { type FeedAccount, withDefaults } from './feed-account.ts';
import { changesPath, readChanges } from './snapshot-changes.ts';

/** The accounts that queries are answered with at the start, without reading the store. */
export type DirectorySnapshot = {
  readonly takenAt: number;
  /** The newest change that the accounts include; undefined: not known. */
  readonly position: string | undefined;
  /** The files, if later changes may be appended to them. */
  readonly files: SnapshotFiles | undefined;
  /** Reads the files again: all accounts may be more than should be in memory at once. */
  readonly accounts: () => AsyncGenerator<readonly FeedAccount[]>;
  /** The same as lines of JSON: see account-lines.ts. */
  readonly lines: () => AsyncGenerator<SnapshotLines>;
};

/** `outdated`: accounts whose lines were replaced by later changes. */
export type SnapshotLines = {
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly outdated: ReadonlySet<string>;
};

export type FoundSnapshot =
  | { readonly kind: 'there'; readonly snapshot: DirectorySnapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly why: string };

/** `sum`: the checksum, which identifies the snapshot in the file of later changes. */
export type WrittenSnapshot = { readonly sum: string; readonly bytes: number };

/** `changedBytes`: the size of the changes since the snapshot. */
export type SnapshotFiles = WrittenSnapshot & { readonly changedBytes: number };

/** `position`: the newest change that the accounts include. */
export type SnapshotHead = { readonly takenAt: number; readonly position?: string | undefined };

/*
 * A line of JSON with the format, one for each account, and one with the checksum of all lines before it. Readable only by its owner,
 * as the database is: it contains the same secrets. Later changes are in a second file: see snapshot-changes.ts.
 */
const FORMAT = 'weir directory 1';
const LINE_END = 0x0a;
const CHUNK = 2 ** 20;
const MAX_HEAD = 1000;

export const snapshotPath = (data: string): string => join(data, 'directory.snapshot');

export async function writeSnapshot(
  path: string,
  head: SnapshotHead,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<WrittenSnapshot> {
  let written: WrittenSnapshot | undefined;
  await writeAtomic(path, async (file) => {
    written = await writeLines(file, head, accounts);
  });
  return written!;
}

/** Replaces the snapshot and deletes the changes since the last one, which the accounts include. */
export async function replaceSnapshot(
  path: string,
  head: SnapshotHead,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<void> {
  await writeSnapshot(path, head, accounts);
  await rm(changesPath(path), { force: true });
}

async function writeLines(
  file: FileHandle,
  head: SnapshotHead,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<WrittenSnapshot> {
  const texts = snapshotTexts(head, accounts);
  let bytes = 0;
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return { sum: value, bytes };
    await file.writeFile(value);
    bytes += value.length;
  }
}

/** The content of a snapshot in parts; returns its checksum. */
export async function* snapshotTexts(
  { takenAt, position }: SnapshotHead,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): AsyncGenerator<Buffer, string> {
  const hash = createHash('sha256');
  const summed = (text: string): Buffer => {
    const encoded = Buffer.from(text);
    hash.update(encoded);
    return encoded;
  };
  yield summed(`${JSON.stringify({ format: FORMAT, takenAt, position })}\n`);
  for await (const some of accounts) yield summed(some.map((account) => `${jsonLine(account)}\n`).join(''));
  const sum = hash.digest('hex');
  yield Buffer.from(checksumLine(sum));
  return sum;
}

/** Reads the lines of a snapshot as they arrive. Throws if it is incomplete, or of another version. */
export async function readSnapshotLines(
  lines: AsyncIterable<string>,
  use: (account: FeedAccount) => void,
): Promise<void> {
  const hash = createHash('sha256');
  let count = 0;
  let last: string | undefined;
  for await (const line of lines) {
    if (last !== undefined) {
      hash.update(`${last}\n`);
      if (count === 0 && (JSON.parse(last) as { format?: string }).format !== FORMAT) throw new Error(OTHER_VERSION);
      if (count > 0) use(withDefaults(JSON.parse(last) as FeedAccount));
      count += 1;
    }
    last = line;
  }
  if (`${last}\n` !== checksumLine(hash.digest('hex'))) throw new Error(WRONG_CHECKSUM);
}

const WRONG_CHECKSUM = 'its checksum is wrong';
const OTHER_VERSION = 'it is of another version of this program';

const checksumLine = (sum: string): string => `${JSON.stringify({ sha256: sum })}\n`;

/** The snapshot with all later changes, or the reason why it cannot be used. */
export async function readSnapshot(path: string): Promise<FoundSnapshot> {
  let checked: Awaited<ReturnType<typeof checkFile>>;
  try {
    checked = await checkFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'none' } : { kind: 'damaged', why: message };
  }
  const { head, sum, bytes, accountsFrom, accountsTo } = checked;
  const { format, takenAt, position } = JSON.parse(head) as SnapshotHead & { readonly format: string };
  if (format !== FORMAT) return { kind: 'damaged', why: OTHER_VERSION };
  const { changes, isWhole, changedBytes } = await readChanges(changesPath(path), sum);
  const changed = new Map(changes.map(({ id, account }) => [id, account]));
  // After a deletion all accounts are written again: no file may keep the data of a deleted account.
  const isAppendable = isWhole && changes.every(({ account }) => account !== undefined);
  return {
    kind: 'there',
    snapshot: {
      takenAt: changes.at(-1)?.at ?? takenAt,
      position: changes.findLast((change) => change.position !== undefined)?.position ?? position,
      files: isAppendable ? { sum, bytes, changedBytes } : undefined,
      async *accounts() {
        const since = new Map(changed);
        for await (const lines of linesOf(path, accountsFrom, accountsTo)) {
          const texts = Buffer.from(lines.buffer).toString().split('\n').slice(0, -1);
          const accounts = texts.map((line) => JSON.parse(line) as FeedAccount).filter(({ id }) => !since.has(id));
          yield accounts.map(withDefaults);
        }
        yield Array.from(since.values(), (account) => account && withDefaults(account)).filter(
          (account) => account !== undefined,
        );
      },
      async *lines() {
        const outdated = new Set(changed.keys());
        for await (const lines of linesOf(path, accountsFrom, accountsTo)) yield { lines, outdated };
        const since = [...changed.values()].filter((account) => account !== undefined);
        if (since.length > 0) yield { lines: accountLines(since), outdated: new Set() };
      },
    },
  };
}

const CHECKSUM_BYTES = checksumLine('0'.repeat(64)).length;

/** Reads the whole file once. Throws if its checksum is wrong. */
async function checkFile(path: string) {
  const { size: bytes } = await stat(path);
  const accountsTo = bytes - CHECKSUM_BYTES;
  if (accountsTo <= 0) throw new Error(WRONG_CHECKSUM);
  const hash = createHash('sha256');
  let head = '';
  for await (const chunk of createReadStream(path, { end: accountsTo - 1, highWaterMark: CHUNK })) {
    hash.update(chunk as Buffer);
    if (!head.includes('\n')) head += (chunk as Buffer).toString('latin1', 0, MAX_HEAD);
  }
  const sum = hash.digest('hex');
  const [found] = await Array.fromAsync(createReadStream(path, { start: accountsTo }));
  if (String(found) !== checksumLine(sum)) throw new Error(WRONG_CHECKSUM);
  head = head.slice(0, head.indexOf('\n'));
  return { head, sum, bytes, accountsFrom: head.length + 1, accountsTo };
}

/** Whole lines of a part of a file, many at a time. */
async function* linesOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (start >= end) return;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK })) {
    const read = chunk as Buffer;
    const length = read.lastIndexOf(LINE_END) + 1;
    if (length > 0) {
      // Its own memory, which can be moved to another thread.
      const lines = new Uint8Array(rest.length + length);
      lines.set(rest);
      lines.set(read.subarray(0, length), rest.length);
      yield lines;
      rest = read.subarray(length);
    } else rest = Buffer.concat([rest, read]);
  }
}
