/*
 * Memory for arrays that are needed only while rows are encoded. As ordinary arrays they are most of what the query log
 * allocates, and V8 answers a few megabytes of them with a collection of the whole heap.
 */
const FIRST_BYTES = 2 ** 16;
/** Encoding more rows at once than a busy account has in a batch allocates the rest as usual. */
const MAX_BYTES = 4 * 2 ** 20;
const ALIGNMENT = 8;

let memory = new ArrayBuffer(FIRST_BYTES);
let isInUse = false;
let used = 0;

/** Runs `encode`, which must not keep an array of this module. */
export function withScratch<Encoded>(encode: () => Encoded): Encoded {
  if (isInUse) return encode();
  isInUse = true;
  try {
    return encode();
  } finally {
    isInUse = false;
    if (used > memory.byteLength && memory.byteLength < MAX_BYTES)
      memory = new ArrayBuffer(Math.min(MAX_BYTES, 2 ** Math.ceil(Math.log2(used))));
    used = 0;
  }
}

/** Zeros. Valid until the end of `withScratch`; outside it, an ordinary array. */
export const scratchUint32 = (length: number): Uint32Array<ArrayBuffer> => {
  const at = room(length * Uint32Array.BYTES_PER_ELEMENT);
  return at < 0 ? new Uint32Array(length) : new Uint32Array(memory, at, length).fill(0);
};

export const scratchFloat64 = (length: number): Float64Array<ArrayBuffer> => {
  const at = room(length * Float64Array.BYTES_PER_ELEMENT);
  return at < 0 ? new Float64Array(length) : new Float64Array(memory, at, length).fill(0);
};

export const scratchUint8 = (length: number): Uint8Array<ArrayBuffer> => {
  const at = room(length);
  return at < 0 ? new Uint8Array(length) : new Uint8Array(memory, at, length).fill(0);
};

export const scratchInt32 = (length: number): Int32Array<ArrayBuffer> => {
  const at = room(length * Int32Array.BYTES_PER_ELEMENT);
  return at < 0 ? new Int32Array(length) : new Int32Array(memory, at, length).fill(0);
};

/** The offset of so many bytes; -1 without room. */
function room(bytes: number): number {
  if (!isInUse) return -1;
  const at = used;
  used = Math.ceil((at + bytes) / ALIGNMENT) * ALIGNMENT;
  return used > memory.byteLength ? -1 : at;
}
