import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { FeedAccount } from './feed-account.ts';

/** An account since the snapshot; undefined: it was deleted. */
export type AccountChange = {
  readonly at: number;
  readonly id: string;
  readonly account: FeedAccount | undefined;
  /** The newest change that snapshot and changes include up to here, if it is known. */
  readonly position?: string | undefined;
};

/*
 * A line with the format and the checksum of the snapshot that the changes belong to, then a line for each change: the first half of
 * the SHA-256 checksum of the JSON in hexadecimal, a space and the JSON. A crash may cut off the last line.
 */
const FORMAT = 'weir directory changes 1';
const CHECKSUM_LETTERS = 32;

export const changesPath = (snapshotPath: string): string => snapshotPath.replace(/(\.snapshot)?$/, '.changes');

/** Starts a file without changes for a new snapshot. */
export const startChanges = (path: string, snapshotSum: string): Promise<void> =>
  writeAtomic(path, `${headOf(snapshotSum)}\n`);

const headOf = (snapshotSum: string): string => JSON.stringify({ format: FORMAT, snapshot: snapshotSum });

/** Once this resolves, the changes survive a power failure. Returns the number of bytes. */
export async function appendChanges(path: string, changes: readonly AccountChange[]): Promise<number> {
  const lines = Buffer.from(changes.map(lineOf).join(''));
  await using file = await open(path, 'a', 0o600);
  await file.writeFile(lines);
  await file.datasync();
  return lines.length;
}

function lineOf({ at, id, account, position }: AccountChange): string {
  const text = JSON.stringify({ at, id, account, position });
  return `${checksumOf(text)} ${text}\n`;
}

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LETTERS);

/** The changes up to the first damaged line; none if the file belongs to another snapshot. `isWhole`: no line is damaged. */
export async function readChanges(path: string, snapshotSum: string) {
  const changes: AccountChange[] = [];
  const text = await textOf(path);
  const [head, ...lines] = text.split('\n');
  if (head !== headOf(snapshotSum)) return { changes, isWhole: false, changedBytes: 0 };
  for (const line of lines) {
    const json = line.slice(CHECKSUM_LETTERS + 1);
    if (line.slice(0, CHECKSUM_LETTERS) !== checksumOf(json)) break;
    const { at, id, account, position } = JSON.parse(json) as Partial<AccountChange> & Pick<AccountChange, 'at' | 'id'>;
    changes.push({ at, id, account, position });
  }
  // The last line ends with a line break, so one empty text follows.
  const isWhole = changes.length === lines.length - 1 && lines.at(-1) === '';
  return { changes, isWhole, changedBytes: Buffer.byteLength(text) };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
