const PAGE = 65_536;

/** Shared memory that grows in place. Only address space is reserved up to the maximum. */
export const growableMemory = (bytes: number, mostBytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(bytes, { maxByteLength: Math.max(bytes, Math.ceil(mostBytes), PAGE) });

/** The same memory with at least this many bytes; a copy if it cannot grow in place. */
export function roomFor(memory: SharedArrayBuffer, bytes: number): SharedArrayBuffer {
  if (bytes <= memory.byteLength) return memory;
  if (bytes <= memory.maxByteLength) {
    memory.grow(bytes);
    return memory;
  }
  const larger = growableMemory(bytes, 2 * bytes);
  new Uint8Array(larger).set(new Uint8Array(memory));
  return larger;
}

/** Memory of exactly this many bytes. Small buffers are copied: each growable one takes whole pages. */
export function trimmed(memory: SharedArrayBuffer, bytes: number): SharedArrayBuffer {
  if (bytes >= memory.byteLength && bytes >= PAGE) return roomFor(memory, bytes);
  const exact = new SharedArrayBuffer(bytes);
  new Uint8Array(exact).set(new Uint8Array(memory, 0, Math.min(bytes, memory.byteLength)));
  return exact;
}
