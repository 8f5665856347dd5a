import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { FeedAccount } from './directory-feed.ts';

/** An account since the snapshot; undefined: it was deleted. */
export type AccountChange = { readonly at: number; readonly id: string; readonly account: FeedAccount | undefined };

/*
 * A line with the format and the checksum of the snapshot that the changes belong to, then a line for each change: the first half of
 * the SHA-256 checksum of the JSON in hexadecimal, a space and the JSON. A crash may cut off the last line.
 */
const FORMAT = 'weir directory changes 1';
const CHECKSUM_LETTERS = 32;

export const changesPath = (snapshotPath: string): string => snapshotPath.replace(/(\.snapshot)?$/, '.changes');

/** Starts a file without changes for a new snapshot. */
export const startChanges = (path: string, snapshotSum: string): Promise<void> =>
  writeAtomic(path, `${JSON.stringify({ format: FORMAT, snapshot: snapshotSum })}\n`);

/** Once this resolves, the changes survive a power failure. Returns the number of bytes. */
export async function appendChanges(path: string, changes: readonly AccountChange[]): Promise<number> {
  const lines = Buffer.from(changes.map(lineOf).join(''));
  await using file = await open(path, 'a', 0o600);
  await file.writeFile(lines);
  await file.datasync();
  return lines.length;
}

function lineOf({ at, id, account }: AccountChange): string {
  const text = JSON.stringify({ at, id, account });
  return `${checksumOf(text)} ${text}\n`;
}

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LETTERS);

/** The changes up to the first damaged line; none if the file belongs to another snapshot. */
export async function readChanges(path: string, snapshotSum: string): Promise<readonly AccountChange[]> {
  const [head, ...lines] = (await textOf(path)).split('\n');
  if (head !== JSON.stringify({ format: FORMAT, snapshot: snapshotSum })) return [];
  const changes: AccountChange[] = [];
  for (const line of lines) {
    const text = line.slice(CHECKSUM_LETTERS + 1);
    if (line.slice(0, CHECKSUM_LETTERS) !== checksumOf(text)) break;
    const { at, id, account } = JSON.parse(text) as Partial<AccountChange> & Pick<AccountChange, 'at' | 'id'>;
    changes.push({ at, id, account });
  }
  return changes;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
