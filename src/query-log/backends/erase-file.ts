import { createReadStream } from 'node:fs';
import type { SqliteFile } from './sqlite-file.ts';

/** Rewriting takes about 10 ms per megabyte and blocks the log. */
const MAX_REWRITTEN_BYTES = 128 * 2 ** 20;
const PAGES_AT_ONCE = 1024;
const INCREMENTAL = 2;
// "del" in the application_id field of the SQLite header.
const MARK = 0x64_65_6c;

/** Set in the transaction that deletes rows, so the file is erased even after a crash. */
export const markForErasure = (file: SqliteFile): void => file.run(`PRAGMA application_id = ${MARK}`);

/**
 * Removes the bytes of deleted rows from a marked file and its WAL; false when it must be called again. `secure_delete` zeroes
 * deleted rows, but copies of them stay in unused parts of pages when SQLite moves rows between pages. A file that is
 * small enough is therefore rewritten; of a larger one only the free pages are returned.
 */
export function eraseSome(file: SqliteFile, maxRewrittenBytes = MAX_REWRITTEN_BYTES): boolean {
  const number = (name: string): number => Object.values(file.get(`PRAGMA ${name}`)!)[0] as number;
  if (number('application_id') !== MARK) return true;
  if (number('page_count') * number('page_size') <= maxRewrittenBytes) {
    // Files of earlier versions use another auto_vacuum mode, which only a rewrite changes.
    file.run(`PRAGMA auto_vacuum = ${INCREMENTAL}`);
    file.run('VACUUM');
  } else if (number('auto_vacuum') === INCREMENTAL && number('freelist_count') > 0) {
    file.all(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    if (number('freelist_count') > 0) return false;
  }
  if (number('wal_checkpoint(TRUNCATE)') !== 0)
    throw new Error(`${file.path}-wal still contains deleted rows: another program is reading the file`);
  file.run('PRAGMA application_id = 0');
  return true;
}

/** Whether a file contains the text, uncompressed. */
export async function containsText(path: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    if (bytes.includes(wanted)) return true;
    rest = bytes.subarray(Math.max(0, bytes.length - wanted.length + 1));
  }
  return false;
}
