import { createHash } from 'node:crypto';
import { type FileHandle, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storedSettings } from '../domain/default-settings.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { FeedAccount } from './directory-feed.ts';
import { changesPath, readChanges } from './snapshot-changes.ts';

/** The accounts that queries are answered with when the store cannot be read. */
export type DirectorySnapshot = { readonly takenAt: number; readonly accounts: readonly FeedAccount[] };

export type FoundSnapshot =
  | { readonly kind: 'there'; readonly snapshot: DirectorySnapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly why: string };

/** `sum`: the checksum, which identifies the snapshot in the file of later changes. */
export type WrittenSnapshot = { readonly sum: string; readonly bytes: number };

/*
 * A line of JSON with the format, one for each account, and one with the checksum of all lines before it. Readable only by its owner,
 * as the database is: it contains the same secrets. Later changes are in a second file: see snapshot-changes.ts.
 */
const FORMAT = 'weir directory 1';
const LINE_END = 0x0a;

export const snapshotPath = (data: string): string => join(data, 'directory.snapshot');

export async function writeSnapshot(
  path: string,
  takenAt: number,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<WrittenSnapshot> {
  let written: WrittenSnapshot | undefined;
  await writeAtomic(path, async (file) => {
    written = await writeLines(file, takenAt, accounts);
  });
  return written!;
}

/** Replaces the snapshot and deletes the changes since the last one, which the accounts include. */
export async function replaceSnapshot(path: string, { takenAt, accounts }: DirectorySnapshot): Promise<void> {
  const all = async function* () {
    yield accounts;
  };
  await writeSnapshot(path, takenAt, all());
  await rm(changesPath(path), { force: true });
}

async function writeLines(
  file: FileHandle,
  takenAt: number,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<WrittenSnapshot> {
  const texts = snapshotTexts(takenAt, accounts);
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
  takenAt: number,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): AsyncGenerator<Buffer, string> {
  const hash = createHash('sha256');
  const summed = (text: string): Buffer => {
    const encoded = Buffer.from(text);
    hash.update(encoded);
    return encoded;
  };
  yield summed(`${JSON.stringify({ format: FORMAT, takenAt })}\n`);
  for await (const some of accounts) yield summed(some.map((account) => `${JSON.stringify(account)}\n`).join(''));
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
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'none' } : { kind: 'damaged', why: message };
  }
  const lastLine = bytes.lastIndexOf(LINE_END, bytes.length - 2) + 1;
  const content = bytes.subarray(0, lastLine);
  const sum = createHash('sha256').update(content).digest('hex');
  if (bytes.toString('utf8', lastLine) !== checksumLine(sum)) return { kind: 'damaged', why: WRONG_CHECKSUM };
  const [head, ...accounts] = [...linesOf(content)];
  const { format, takenAt } = head as { format: string; takenAt: number };
  if (format !== FORMAT) return { kind: 'damaged', why: OTHER_VERSION };
  const changes = await readChanges(changesPath(path), sum);
  const changed = new Map((accounts as FeedAccount[]).map((account) => [account.id as string, account]));
  for (const { id, account } of changes) {
    if (account) changed.set(id, account);
    else changed.delete(id);
  }
  return {
    kind: 'there',
    snapshot: { takenAt: changes.at(-1)?.at ?? takenAt, accounts: Array.from(changed.values(), withDefaults) },
  };
}

/** Snapshots of older versions lack settings that were added since. */
const withDefaults = (account: FeedAccount): FeedAccount => ({
  ...account,
  profiles: account.profiles.map((profile) => ({ ...profile, settings: storedSettings(profile.settings) })),
});

function* linesOf(bytes: Buffer): Generator<unknown> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, at);
    yield JSON.parse(bytes.toString('utf8', at, end));
    at = end + 1;
  }
}
