import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ListText } from '../engine/list-text.ts';

const PIECE_BYTES = 128 * 1024;
const LF = 0x0a;

/** The text of a list in its file, read one piece at a time. */
export const textFile = (path: string): ListText => ({
  length: withFile(path, (file) => fstatSync(file).size),
  pieces: () => pieces(path),
  from: (at) => withFile(path, (file) => lineFrom(file, at)),
});

function* pieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    let buffer = new Uint8Array(PIECE_BYTES);
    let leftover = 0;
    for (;;) {
      const read = readSync(file, buffer, leftover, buffer.length - leftover, null);
      const filled = leftover + read;
      const end = read === 0 ? filled : buffer.subarray(0, filled).lastIndexOf(LF) + 1;
      if (end > 0) yield buffer.subarray(0, end);
      if (read === 0) return;
      buffer.copyWithin(0, end, filled);
      leftover = filled - end;
      if (leftover === buffer.length) buffer = longer(buffer);
    }
  } finally {
    closeSync(file);
  }
}

function lineFrom(file: number, at: number): Uint8Array {
  for (let buffer = new Uint8Array(1024); ; buffer = longer(buffer)) {
    const read = readSync(file, buffer, 0, buffer.length, at);
    const bytes = buffer.subarray(0, read);
    if (read < buffer.length || bytes.includes(LF)) return bytes;
  }
}

function longer(buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const twice = new Uint8Array(2 * buffer.length);
  twice.set(buffer);
  return twice;
}

function withFile<T>(path: string, job: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return job(file);
  } finally {
    closeSync(file);
  }
}
