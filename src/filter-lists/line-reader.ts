import { closeSync, openSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type OffsetOf, openOffsets } from './table-file.ts';

/** Files with the lines of a version; plain data that any thread can use. */
export type LineFiles = { readonly text: string; readonly table: string };

export type LineReader = {
  /** The line of the list for a slot of its table; undefined if it cannot be read. */
  readonly line: (slot: number) => string | undefined;
  readonly close: () => void;
};

const CACHE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 512;
const MAX_LINE_BYTES = 64 * 1024;
const LF = 0x0a;

type Opened = { readonly text: number; readonly table: number; readonly offsetOf: OffsetOf };

/** Closes the files of a reader that was dropped together with its table. */
const dropped = new FinalizationRegistry<Opened>(closeFiles);

/** Reads lines on demand, because all lines would take more memory than the table. */
export function openLineReader(files: LineFiles): LineReader {
  const texts = new LRUCache<number, string>({ maxSize: CACHE_BYTES });
  let opened: Opened | undefined;
  let isClosed = false;

  const read = (slot: number): string | undefined => {
    if (!opened) {
      opened = openFiles(files);
      dropped.register(reader, opened, reader);
    }
    const offset = opened.offsetOf(slot);
    return offset === undefined ? undefined : lineAt(opened.text, offset);
  };
  const reader: LineReader = {
    line: (slot) => {
      const cached = texts.get(slot);
      if (cached !== undefined || isClosed) return cached;
      const found = orUndefined(() => read(slot));
      if (found !== undefined) texts.set(slot, found, { size: 2 * found.length + 100 });
      return found;
    },
    close: () => {
      isClosed = true;
      dropped.unregister(reader);
      if (opened) closeFiles(opened);
      opened = undefined;
    },
  };
  return reader;
}

function openFiles({ text, table }: LineFiles): Opened {
  const files: number[] = [];
  try {
    for (const path of [text, table]) files.push(openSync(path, 'r'));
    const [textFile, tableFile] = files as [number, number];
    return { text: textFile, table: tableFile, offsetOf: openOffsets(tableFile) };
  } catch (error) {
    for (const file of files) closeSync(file);
    throw error;
  }
}

function closeFiles({ text, table }: Opened): void {
  closeSync(text);
  closeSync(table);
}

/** Undefined unless a line starts there. */
function lineAt(file: number, offset: number): string | undefined {
  const first = offset === 0 ? 0 : offset - 1;
  for (let size = CHUNK_BYTES; size <= MAX_LINE_BYTES * 2; size *= 8) {
    const bytes = Buffer.allocUnsafe(size);
    const length = readSync(file, bytes, 0, size, first);
    const start = offset - first;
    if (length <= start || (start === 1 && bytes[0] !== LF)) return undefined;
    const end = bytes.subarray(0, length).indexOf(LF, start);
    if (end !== -1 || length < size) return bytes.toString('utf8', start, end === -1 ? length : end);
  }
  return undefined;
}

/** Missing files must not cause errors; the explanation then lacks the text. */
function orUndefined<T>(job: () => T): T | undefined {
  try {
    return job();
  } catch {
    return undefined;
  }
}
