/*
 * Code length in bits of each byte; the last one is for the end of a string (RFC 7541, appendix B). The code is canonical: codes of one
 * length are consecutive, in the order of the bytes, and follow all shorter ones. So the lengths define the code completely.
 */
// biome-ignore format: sixteen in a row, as bytes are read.
const lengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const END_OF_STRING = 256;

// Transition of four bits from each tree node: the next node, whether a byte was decoded, and that byte.
const FOUND = 0x100;
const WRONG = 0xffff_ffff;
const BYTE = 0xff;
const NEXT = 16;

const { steps, mayEndAt } = makeSteps();

/** Decodes `bytes` from `at` to `end` into `into`; returns the decoded length, or -1 if the code is invalid. */
export function decodeHuffman(bytes: Uint8Array, at: number, end: number, into: Uint8Array): number {
  let node = 0;
  let length = 0;
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    const first = steps[(node << 4) | (byte >> 4)]!;
    if (first === WRONG) return -1;
    if ((first & FOUND) !== 0) into[length++] = first & BYTE;
    const second = steps[((first >>> NEXT) << 4) | (byte & 15)]!;
    if (second === WRONG) return -1;
    if ((second & FOUND) !== 0) into[length++] = second & BYTE;
    node = second >>> NEXT;
  }
  return mayEndAt[node] === 1 ? length : -1;
}

/** Binary tree: a number from 0 on is a node, a negative one a byte. */
function makeTree(): [number, number][] {
  const tree: [number, number][] = [[0, 0]];
  const inOrder = lengths
    .map((length, symbol) => ({ length, symbol }))
    .sort((one, other) => one.length - other.length || one.symbol - other.symbol);
  let code = 0;
  let before = 0;
  for (const { length, symbol } of inOrder) {
    code *= 2 ** (length - before);
    before = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const side = (code >>> bit) & 1;
      if (tree[node]![side] === 0) tree[node]![side] = tree.push([0, 0]) - 1;
      node = tree[node]![side]!;
    }
    tree[node]![code & 1] = -1 - symbol;
    code += 1;
  }
  return tree;
}

function makeSteps(): { readonly steps: Uint32Array; readonly mayEndAt: Uint8Array } {
  const tree = makeTree();
  const steps = new Uint32Array(tree.length * 16);
  for (let node = 0; node < tree.length; node++)
    for (let bits = 0; bits < 16; bits++) steps[node * 16 + bits] = stepFrom(tree, node, bits);
  // A string is padded with less than a byte of ones, the prefix of the end-of-string code.
  const mayEndAt = new Uint8Array(tree.length);
  for (let node = 0, ones = 0; ones < 8; ones++) {
    mayEndAt[node] = 1;
    node = tree[node]![1];
  }
  return { steps, mayEndAt };
}

/** Codes have at least five bits, so four bits complete at most one. */
function stepFrom(tree: readonly [number, number][], from: number, bits: number): number {
  let node = from;
  let transition = 0;
  for (let bit = 3; bit >= 0; bit--) {
    const next = tree[node]![(bits >> bit) & 1]!;
    if (next === -1 - END_OF_STRING) return WRONG;
    if (next < 0) transition = FOUND | (-1 - next);
    node = Math.max(0, next);
  }
  return ((node << NEXT) | transition) >>> 0;
}
