import { createHash } from 'node:crypto';
import { type FileHandle, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedSettings } from '../domain/default-settings.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { FeedAccount } from './directory-feed.ts';

/** The accounts that queries are answered with when the store cannot be read. */
export type DirectorySnapshot = { readonly takenAt: number; readonly accounts: readonly FeedAccount[] };

export type FoundSnapshot =
  | { readonly kind: 'there'; readonly snapshot: DirectorySnapshot }
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly why: string };

/*
 * A line of JSON for what it is, one for each account, and one with the checksum of all before it. For its owner only, as the
 * database is: it holds the same secrets.
 */
const FORMAT = 'weir directory 1';
const LINE_END = 0x0a;

export const snapshotPath = (data: string): string => join(data, 'directory.snapshot');

export const writeSnapshot = (
  path: string,
  takenAt: number,
  accounts: AsyncIterable<readonly FeedAccount[]>,
): Promise<void> => writeAtomic(path, (file) => writeLines(file, takenAt, accounts));

async function writeLines(file: FileHandle, takenAt: number, accounts: AsyncIterable<readonly FeedAccount[]>) {
  const sum = createHash('sha256');
  const write = async (text: string): Promise<void> => {
    sum.update(text);
    await file.writeFile(text);
  };
  await write(`${JSON.stringify({ format: FORMAT, takenAt })}\n`);
  for await (const some of accounts) await write(some.map((account) => `${JSON.stringify(account)}\n`).join(''));
  await file.writeFile(`${JSON.stringify({ sha256: sum.digest('hex') })}\n`);
}

/** The complete snapshot, or the reason why it cannot be used. */
export async function readSnapshot(path: string): Promise<FoundSnapshot> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'none' } : { kind: 'damaged', why: message };
  }
  const lastLine = bytes.lastIndexOf(LINE_END, bytes.length - 2) + 1;
  if (!isSumOf(bytes.subarray(0, lastLine), bytes.subarray(lastLine)))
    return { kind: 'damaged', why: 'its checksum is wrong' };
  const [head, ...accounts] = [...linesOf(bytes.subarray(0, lastLine))];
  const { format, takenAt } = head as { format: string; takenAt: number };
  if (format !== FORMAT) return { kind: 'damaged', why: 'it is of another version of this program' };
  return { kind: 'there', snapshot: { takenAt, accounts: (accounts as FeedAccount[]).map(withDefaults) } };
}

/** Snapshots of older versions lack settings that were added since. */
const withDefaults = (account: FeedAccount): FeedAccount => ({
  ...account,
  profiles: account.profiles.map((profile) => ({ ...profile, settings: storedSettings(profile.settings) })),
});

function isSumOf(content: Uint8Array, line: Buffer): boolean {
  const sum = createHash('sha256').update(content).digest('hex');
  return line.toString() === `${JSON.stringify({ sha256: sum })}\n`;
}

function* linesOf(bytes: Buffer): Generator<unknown> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, at);
    yield JSON.parse(bytes.toString('utf8', at, end));
    at = end + 1;
  }
}
