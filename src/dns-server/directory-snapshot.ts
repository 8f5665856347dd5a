import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';
import { sharedBytes } from '../resolver/identity/account-block.ts';
import { accountsIn, blockOf, type FeedBlock, indexed, parseLine } from './account-blocks.ts';
import { type FeedAccount, withDefaults } from './feed-account.ts';
import { changesPath, readChanges } from './snapshot-changes.ts';
import { indexCollector, indexPath, readIndexFile } from './snapshot-index.ts';

/** The accounts that queries are answered with at the start, without reading the store. */
export type DirectorySnapshot = {
  readonly takenAt: number;
  /** The newest change that the accounts include; undefined: not known. */
  readonly position: string | undefined;
  /** The files, if later changes may be appended to them. */
  readonly files: SnapshotFiles | undefined;
  /** Reads the files again: all accounts may be more than should be in memory at once. */
  readonly accounts: () => AsyncGenerator<readonly FeedAccount[]>;
  readonly blocks: () => AsyncGenerator<SnapshotBlock>;
};

/** `outdated`: accounts whose lines were replaced by later changes. */
export type SnapshotBlock = { readonly block: FeedBlock; readonly outdated: ReadonlySet<string> };

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
 * as the database is: it contains the same secrets. Later changes are in a second file (snapshot-changes.ts), and an index that makes
 * reading cheaper in a third (snapshot-index.ts).
 */
const FORMAT = 'weir directory 1';
const LINE_END = 0x0a;
const CHUNK = 2 ** 20;
const MAX_HEAD = 1000;

export const snapshotPath = (data: string): string => join(data, 'directory.snapshot');

export async function writeSnapshot(
  path: string,
  head: SnapshotHead,
  blocks: AsyncIterable<FeedBlock>,
): Promise<WrittenSnapshot> {
  const index = indexCollector();
  let written: WrittenSnapshot | undefined;
  await writeAtomic(path, async (file) => {
    written = await writeLines(
      file,
      head,
      collecting(blocks, (block) => index.add(block)),
    );
  });
  await index.write(indexPath(path), written!.sum);
  return written!;
}

async function* collecting<T>(items: AsyncIterable<T>, add: (item: T) => void): AsyncGenerator<T> {
  for await (const item of items) {
    add(item);
    yield item;
  }
}

/** Replaces the snapshot and deletes the changes since the last one, which the accounts include. */
export async function replaceSnapshot(
  path: string,
  head: SnapshotHead,
  blocks: AsyncIterable<FeedBlock>,
): Promise<void> {
  await writeSnapshot(path, head, blocks);
  await rm(changesPath(path), { force: true });
}

async function writeLines(
  file: FileHandle,
  head: SnapshotHead,
  blocks: AsyncIterable<FeedBlock>,
): Promise<WrittenSnapshot> {
  const parts = snapshotParts(head, blocks);
  let bytes = 0;
  for (;;) {
    const { done, value } = await parts.next();
    if (done) return { sum: value, bytes };
    await file.writeFile(value);
    bytes += value.length;
  }
}

/** The content of a snapshot in parts; returns its checksum. */
export async function* snapshotParts(
  { takenAt, position }: SnapshotHead,
  blocks: AsyncIterable<Pick<FeedBlock, 'lines'>>,
): AsyncGenerator<Buffer, string> {
  const hash = createHash('sha256');
  const summed = (part: Buffer): Buffer => {
    hash.update(part);
    return part;
  };
  yield summed(Buffer.from(`${JSON.stringify({ format: FORMAT, takenAt, position })}\n`));
  for await (const { lines } of blocks) yield summed(Buffer.from(lines.buffer, lines.byteOffset, lines.length));
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
      if (count > 0) use(parseLine(last));
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
  let checked: CheckedFile;
  try {
    checked = await checkFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'none' } : { kind: 'damaged', why: message };
  }
  const { head, sum, bytes } = checked;
  const { format, takenAt, position } = JSON.parse(head) as SnapshotHead & { readonly format: string };
  if (format !== FORMAT) return { kind: 'damaged', why: OTHER_VERSION };
  const { changes, isWhole, changedBytes } = await readChanges(changesPath(path), sum);
  const changed = new Map(changes.map(({ id, account }) => [id, account]));
  const laterAccounts = [...changed.values()].flatMap((account) => (account ? [withDefaults(account)] : []));
  // After a deletion all accounts are written again: no file may keep the data of a deleted account.
  const isAppendable = isWhole && changes.every(({ account }) => account !== undefined);
  return {
    kind: 'there',
    snapshot: {
      takenAt: changes.at(-1)?.at ?? takenAt,
      position: changes.findLast((change) => change.position !== undefined)?.position ?? position,
      files: isAppendable ? { sum, bytes, changedBytes } : undefined,
      async *accounts() {
        const since = new Set(changed.keys());
        for await (const block of blocksIn(path, checked)) yield accountsIn(block).filter(({ id }) => !since.has(id));
        yield laterAccounts;
      },
      async *blocks() {
        const outdated = new Set(changed.keys());
        for await (const block of blocksIn(path, checked)) yield { block, outdated };
        if (laterAccounts.length > 0) yield { block: blockOf(laterAccounts), outdated: new Set() };
      },
    },
  };
}

const CHECKSUM_BYTES = checksumLine('0'.repeat(64)).length;

type CheckedFile = Awaited<ReturnType<typeof checkFile>>;

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

/** The accounts of a snapshot that was checked: with its index, or their lines are parsed. */
async function* blocksIn(path: string, { sum, accountsFrom, accountsTo }: CheckedFile): AsyncGenerator<FeedBlock> {
  const stored = await readIndexFile(indexPath(path), sum);
  if (!stored) {
    for await (const lines of linesOf(path, accountsFrom, accountsTo)) yield indexed(lines);
    return;
  }
  await using file = await open(path);
  let position = accountsFrom;
  for (const { lineBytes, index, uses } of stored) {
    const lines = sharedBytes(lineBytes);
    for (let read = 0; read < lineBytes; ) {
      const { bytesRead } = await file.read(lines, read, lineBytes - read, position + read);
      if (bytesRead === 0) throw new Error(`${path} was changed while it was read`);
      read += bytesRead;
    }
    position += lineBytes;
    yield { lines, index, uses };
  }
}

/** Whole lines of a part of a file, many at a time. */
async function* linesOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK })) {
    const read = chunk as Buffer;
    const length = read.lastIndexOf(LINE_END) + 1;
    if (length > 0) {
      yield Buffer.concat([rest, read.subarray(0, length)]);
      rest = read.subarray(length);
    } else rest = Buffer.concat([rest, read]);
  }
}
