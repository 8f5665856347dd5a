import pg from 'pg';

/*
 * Arrays in the binary format, which `pg` does not write itself: number of dimensions, whether there are nulls, type of
 * the elements, length, first index, and each element after its size. PostgreSQL need not parse text, and the client
 * need not escape it.
 */
const HEAD_BYTES = 20;
const SIZE_BYTES = 4;
const SMALLINT_BYTES = 2;
const MAX_UTF8_BYTES = 3;

function writeHead(into: Buffer, type: number, length: number): number {
  into.writeInt32BE(1, 0);
  into.writeInt32BE(0, 4);
  into.writeInt32BE(type, 8);
  into.writeInt32BE(length, 12);
  into.writeInt32BE(1, 16);
  return HEAD_BYTES;
}

/** Of a `text[]` parameter. */
export function binaryTexts(values: readonly string[]): Buffer {
  const most = values.reduce((sum, { length }) => sum + SIZE_BYTES + length * MAX_UTF8_BYTES, HEAD_BYTES);
  const bytes = Buffer.allocUnsafe(most);
  let end = writeHead(bytes, pg.types.builtins.TEXT, values.length);
  for (const value of values) {
    const size = bytes.write(value, end + SIZE_BYTES);
    bytes.writeInt32BE(size, end);
    end += SIZE_BYTES + size;
  }
  return bytes.subarray(0, end);
}

/** Of a `bytea[]` parameter. */
export function binaryBytes(values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + SIZE_BYTES + length, HEAD_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  let end = writeHead(bytes, pg.types.builtins.BYTEA, values.length);
  for (const value of values) {
    end = bytes.writeInt32BE(value.length, end);
    bytes.set(value, end);
    end += value.length;
  }
  return bytes;
}

/** Of a `smallint[]` parameter. */
export function binarySmallints(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + values.length * (SIZE_BYTES + SMALLINT_BYTES));
  let end = writeHead(bytes, pg.types.builtins.INT2, values.length);
  for (const value of values) {
    end = bytes.writeInt32BE(SMALLINT_BYTES, end);
    end = bytes.writeInt16BE(value, end);
  }
  return bytes;
}
