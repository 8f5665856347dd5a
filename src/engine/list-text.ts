/** The text of a list, in UTF-8. It need not be in memory as a whole. */
export type ListText = {
  readonly length: number;
  /** All of it in order. Each piece but the last ends where a line ends, and is valid until the next is asked for. */
  readonly pieces: () => Iterable<Uint8Array>;
  /** What follows a place, at least to the end of its line. */
  readonly from: (at: number) => Uint8Array;
};

export const textInMemory = (bytes: Uint8Array): ListText => ({
  length: bytes.length,
  pieces: () => [bytes],
  from: (at) => bytes.subarray(at),
});
