import type { Gathered } from '../compiler/sources/gather-sources.ts';

/** Buffers that can be transferred to another thread; small ones share a pool and are copied. */
export function textTransfer(texts: Gathered): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { content } of texts.values()) {
    const bytes = content?.bytes;
    if (bytes && bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer)
      buffers.add(bytes.buffer);
  }
  return [...buffers];
}
