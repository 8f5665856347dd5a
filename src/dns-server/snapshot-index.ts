import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import type { AccountUse } from '../filter-lists/lists-in-use.ts';
import { version } from '../platform/version.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import { sharedBytes } from '../resolver/identity/account-block.ts';
import type { FeedBlock } from './account-blocks.ts';

/*
 * The index of a snapshot, in a file of its own: the snapshot stays readable for every version, and without its index its lines are
 * parsed. A line of JSON with the checksum of the rest, a line of JSON with the blocks, and the entries of all blocks.
 */
const FORMAT = 'weir directory index 1';

/** A block whose lines are in the snapshot. */
export type StoredIndex = Omit<FeedBlock, 'lines'> & { readonly lineBytes: number };

export const indexPath = (snapshotPath: string): string => snapshotPath.replace(/(\.snapshot)?$/, '.index');

type Head = { readonly format: string; readonly made: string; readonly sha256: string };
type Blocks = {
  readonly snapshot: string;
  readonly blocks: readonly {
    readonly lineBytes: number;
    readonly words: number;
    readonly uses: readonly AccountUse[];
  }[];
};

/** Another version may derive other entries from the same account, and a program built from sources may change without its version. */
const MADE = `${version} ${statSync(import.meta.filename).mtimeMs} ${endianness()}`;

/** Collects the indexes of the blocks of a snapshot while it is written. */
export function indexCollector() {
  const blocks: Blocks['blocks'][number][] = [];
  const indexes: Buffer[] = [];
  return {
    add({ lines, index, uses }: FeedBlock): void {
      blocks.push({ lineBytes: lines.length, words: index.length, uses });
      indexes.push(Buffer.from(index.buffer, index.byteOffset, index.byteLength));
    },
    /** `snapshotSum`: the checksum of the snapshot. */
    async write(path: string, snapshotSum: string): Promise<void> {
      const parts = [
        Buffer.from(`${JSON.stringify({ snapshot: snapshotSum, blocks } satisfies Blocks)}\n`),
        ...indexes,
      ];
      const head: Head = { format: FORMAT, made: MADE, sha256: sumOf(parts) };
      await writeAtomic(path, [`${JSON.stringify(head)}\n`, ...parts]);
    },
  };
}

function sumOf(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** The blocks of this snapshot; undefined without an index of this version. */
export async function readIndexFile(path: string, snapshotSum: string): Promise<readonly StoredIndex[] | undefined> {
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const [head, headEnd] = lineAt(file, 0);
  const { format, made, sha256 } = (head ?? {}) as Partial<Head>;
  if (format !== FORMAT || made !== MADE || sumOf([file.subarray(headEnd)]) !== sha256) return undefined;
  const [line, lineEnd] = lineAt(file, headEnd);
  const { snapshot, blocks } = line as Blocks;
  if (snapshot !== snapshotSum) return undefined;
  let at = lineEnd;
  return blocks.map(({ lineBytes, words, uses }) => {
    const index = sharedBytes(words * Uint32Array.BYTES_PER_ELEMENT);
    index.set(file.subarray(at, at + index.length));
    at += index.length;
    return { lineBytes, uses, index: new Uint32Array(index.buffer) };
  });
}

function lineAt(file: Buffer, from: number): [unknown, number] {
  const to = file.indexOf('\n', from);
  if (to < 0) return [undefined, from];
  try {
    return [JSON.parse(file.toString('utf8', from, to)), to + 1];
  } catch {
    // A damaged head: the index is not used.
    return [undefined, from];
  }
}
