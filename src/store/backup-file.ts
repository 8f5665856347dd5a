import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { StoreError } from '../domain/store-error.ts';
import { textLines } from '../kit/json-lines.ts';
import { UNFINISHED, writeAtomic } from '../platform/write-atomic.ts';

// One JSON value per line: header, rows, checksum.

export type BackupHead = { readonly format: 'weir backup'; readonly version: number; readonly createdAt: number };
export type BackupRow = { readonly table: string; readonly row: Readonly<Record<string, unknown>> };
type BackupEnd = { readonly rows: number; readonly sha256: string };

const FLUSH_AT = 1 << 20;

/** Private to its owner, like the database. */
export const writeBackup = (path: string, head: BackupHead, rows: AsyncIterable<BackupRow>): Promise<void> =>
  writeAtomic(path, (file) => writeLines(file, head, rows), { temporaryFile: `${path}${UNFINISHED}` });

async function writeLines(file: FileHandle, head: BackupHead, rows: AsyncIterable<BackupRow>): Promise<void> {
  const sum = createHash('sha256');
  let pending = '';
  let count = 0;
  const flush = async (): Promise<void> => {
    sum.update(pending);
    await file.write(pending);
    pending = '';
  };
  pending += `${JSON.stringify(head)}\n`;
  for await (const row of rows) {
    pending += `${JSON.stringify(row)}\n`;
    count++;
    if (pending.length >= FLUSH_AT) await flush();
  }
  await flush();
  await file.write(`${JSON.stringify({ rows: count, sha256: sum.digest('hex') } satisfies BackupEnd)}\n`);
}

/** Verifies the whole file and returns its header. */
export async function checkBackup(path: string): Promise<BackupHead> {
  const sum = createHash('sha256');
  let head: unknown;
  let last: string | undefined;
  let rows = -2;
  for await (const line of linesOf(path)) {
    if (last !== undefined) sum.update(`${last}\n`);
    head ??= parse(line);
    last = line;
    rows++;
  }
  if (!isHead(head)) throw new StoreError('not restorable', `${path} is not a backup`);
  const end = parse(last ?? '') as BackupEnd | undefined;
  if (end?.rows !== rows || end.sha256 !== sum.digest('hex')) {
    throw new StoreError('not restorable', `${path} is damaged or incomplete`);
  }
  return head;
}

export async function* rowsOf(path: string): AsyncGenerator<BackupRow> {
  for await (const line of linesOf(path)) {
    const value = parse(line) as Partial<BackupRow> | undefined;
    if (value?.table !== undefined) yield value as BackupRow;
  }
}

const linesOf = (path: string) => textLines(createReadStream(path));

const isHead = (value: unknown): value is BackupHead =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === 'weir backup';

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
