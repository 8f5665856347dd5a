/** The text of a list in UTF-8; not necessarily in memory as a whole. */
export type ListText = {
  readonly length: number;
  /** All pieces in order. Each but the last ends at a line end and is valid until the next is requested. */
  readonly pieces: () => Iterable<Uint8Array>;
  /** The bytes from an offset, at least to the end of its line. */
  readonly from: (at: number) => Uint8Array;
};

export const textInMemory = (bytes: Uint8Array): ListText => ({
  length: bytes.length,
  pieces: () => [bytes],
  from: (at) => bytes.subarray(at),
});
