const PAGE = 65_536;

/** Shared memory that can grow where it is. Of what it may become only addresses are taken, no memory. */
export const growableMemory = (bytes: number, mostBytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(bytes, { maxByteLength: Math.max(bytes, Math.ceil(mostBytes), PAGE) });

/** The same memory with room for so many bytes; a copy if it cannot become as large. */
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

/** Memory of exactly so many bytes. Small ones are moved: each that can grow takes pages of its own. */
export function settled(memory: SharedArrayBuffer, bytes: number): SharedArrayBuffer {
  if (bytes >= memory.byteLength && bytes >= PAGE) return roomFor(memory, bytes);
  const exact = new SharedArrayBuffer(bytes);
  new Uint8Array(exact).set(new Uint8Array(memory, 0, Math.min(bytes, memory.byteLength)));
  return exact;
}
