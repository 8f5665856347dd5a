import { createKernels, type Kernels } from './kernels.ts';
import type { ShortcutFilter } from './shortcut-index.ts';

/** Hash key derived from the installation's secret: without it, colliding names cannot be computed. */
export type HashKey = { readonly first: number; readonly second: number };

const SECRET_BYTES = 8;

export function hashKey(secret: Uint8Array): HashKey {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`the secret of fingerprints has ${SECRET_BYTES} bytes`);
  const view = new DataView(secret.buffer, secret.byteOffset);
  return { first: view.getInt32(0, true), second: view.getInt32(4, true) };
}

/**
 * The 64-bit fingerprints of a name and all its parents. The index is the number of labels: `high[1]` is the last label
 * alone, `high[count]` the whole name. One object per thread.
 */
export type NameKeys = {
  count: number;
  readonly high: Int32Array;
  readonly low: Int32Array;
  /** Offset of each label within the name, from the left. */
  readonly starts: Uint8Array;
  /** Words of all labels in lower case, each label with its length byte and zero padding. */
  readonly words: Int32Array;
  wordCount: number;
  /** The name may contain bytes that are escaped in its text. */
  hasEscapes: boolean;
  /** Whether the shortcut filter may contain one of the words. */
  mayHaveShortcut: boolean;
  /** Whether a verdict for the name and the given rule set is cached. */
  isCached: boolean;
  /** The cached verdict, if any. */
  readonly cachedVerdict: Int32Array;
  /** Caches the verdict of the last name, if it was not cached; the first word is not 0. */
  readonly putVerdict: Kernels['putVerdict'];
  readonly kernel: NameKernel;
};

/** The kernel instance, and the buffer that names were last read from. */
type NameKernel = {
  readonly useSecret: Kernels['useSecret'];
  readonly hashName: Kernels['hashName'];
  /** The key it was last initialised with. */
  key: HashKey | undefined;
  readonly bytes: Uint8Array;
  readonly words: BigInt64Array;
  from: Uint8Array | undefined;
  view: DataView | undefined;
  /** Shortcut filters in its memory, by index; the first is unused. */
  readonly filters: (ShortcutFilter | undefined)[];
  readonly filterBits: Int32Array;
  readonly filtersAt: number;
  nextIndex: number;
};

const MAX_LABELS = 127;
const MAX_WORDS = 256;
const WHOLE = 256;
const ROOM = 512;
const WORD = 4;
const LONG_WORD = 8;
const FILTERS = 16;
const FILTER_BYTES = 8192;
/** Most names are shorter; the rest is copied only when needed. */
const FEW = 48;
const ODD = 1 << 16;
const MAY_HAVE_SHORTCUT = 1 << 17;
const CACHED = 1 << 18;
const PAGE = 65_536;
const LINE_BYTES = 64;

/** `lines` is the number of verdict cache lines, a power of two; four verdicts each. */
export function createNameKeys(lines = 0): NameKeys {
  const kernels = createKernels();
  if (lines > 0) kernels.initVerdictCache(kernels.memory.grow(Math.ceil((lines * LINE_BYTES) / PAGE)) * PAGE, lines);
  const { buffer } = kernels.memory;
  return {
    count: 0,
    high: new Int32Array(buffer, kernels.high.value, MAX_LABELS + 1),
    low: new Int32Array(buffer, kernels.low.value, MAX_LABELS + 1),
    starts: new Uint8Array(buffer, kernels.starts.value, MAX_LABELS + 1),
    words: new Int32Array(buffer, kernels.words.value, MAX_WORDS),
    wordCount: 0,
    hasEscapes: false,
    mayHaveShortcut: false,
    isCached: false,
    cachedVerdict: new Int32Array(buffer, kernels.cachedVerdict.value, 2),
    putVerdict: kernels.putVerdict,
    kernel: {
      useSecret: kernels.useSecret,
      hashName: kernels.hashName,
      key: undefined,
      bytes: new Uint8Array(buffer, kernels.name.value, ROOM),
      words: new BigInt64Array(buffer, kernels.name.value, ROOM / LONG_WORD),
      from: undefined,
      view: undefined,
      filters: Array.from({ length: FILTERS }, () => undefined),
      filterBits: new Int32Array(buffer, kernels.filters.value, (FILTERS * FILTER_BYTES) / WORD),
      filtersAt: kernels.filters.value,
      nextIndex: 1,
    },
  };
}

/** Offset of the last `labels` labels within the name. */
export const startOf = (keys: NameKeys, labels: number): number => keys.starts[keys.count - labels]!;

/** Looked up while a name is hashed: whether its words are in the shortcut filter, and the cached verdict of a set of rules (0: none). */
export type NameLookup = { readonly shortcuts: ShortcutFilter | undefined; readonly number: number };

const NO_LOOKUP: NameLookup = { shortcuts: undefined, number: 0 };

/** Reads an uncompressed name. */
export function readNameKeys(
  key: HashKey,
  bytes: Uint8Array,
  at: number,
  into: NameKeys,
  { shortcuts, number }: NameLookup = NO_LOOKUP,
): void {
  const { kernel } = into;
  if (kernel.key !== key) {
    kernel.useSecret(key.first, key.second);
    kernel.key = key;
  }
  const filterAt = shortcuts === undefined ? kernel.filtersAt : writeFilter(kernel, shortcuts);
  let found = -1;
  for (let length = FEW; found < 0; length += FEW) {
    // Unchecked copying needs enough bytes after a short name.
    if (length < WHOLE && at + length <= bytes.length) copyPart(kernel, bytes, at, length);
    else {
      copyWhole(kernel.bytes, bytes, at);
      length = WHOLE;
    }
    found = kernel.hashName(filterAt, length, number);
  }
  into.count = found & 0xff;
  into.wordCount = (found >>> 8) & 0xff;
  into.hasEscapes = (found & ODD) !== 0;
  into.mayHaveShortcut = (found & MAY_HAVE_SHORTCUT) !== 0;
  into.isCached = (found & CACHED) !== 0;
}

/** Index of the filter in the kernel's memory; copied there if missing, replacing the oldest. */
function writeFilter(kernel: NameKernel, filter: ShortcutFilter): number {
  if (kernel.filters[filter.index] !== filter) {
    const index = kernel.nextIndex;
    kernel.nextIndex = index === FILTERS - 1 ? 1 : index + 1;
    kernel.filterBits.set(filter.bits, (index * FILTER_BYTES) / WORD);
    kernel.filters[index] = filter;
    filter.index = index;
  }
  return kernel.filtersAt + filter.index * FILTER_BYTES;
}

/**
 * Copies the end of the first `length` bytes. Reads words from buffers that are used often: most names come from one
 * buffer.
 */
function copyPart(kernel: NameKernel, bytes: Uint8Array, at: number, length: number): void {
  const { words } = kernel;
  if (bytes !== kernel.from) {
    kernel.from = bytes;
    kernel.view = undefined;
  } else kernel.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { view } = kernel;
  const first = length - FEW;
  if (view) {
    // Unrolled: a loop is slower for so few iterations.
    const from = at + first;
    const to = first / LONG_WORD;
    words[to] = view.getBigInt64(from, true);
    words[to + 1] = view.getBigInt64(from + 8, true);
    words[to + 2] = view.getBigInt64(from + 16, true);
    words[to + 3] = view.getBigInt64(from + 24, true);
    words[to + 4] = view.getBigInt64(from + 32, true);
    words[to + 5] = view.getBigInt64(from + 40, true);
  } else for (let to = first; to < length; to++) kernel.bytes[to] = bytes[at + to]!;
}

/** Byte by byte, because `subarray` allocates. Invalid input may have no end. */
function copyWhole(copy: Uint8Array, bytes: Uint8Array, at: number): void {
  const length = Math.min(bytes.length - at, WHOLE);
  for (let byte = 0; byte < length; byte++) copy[byte] = bytes[at + byte]!;
  copy.fill(0, Math.max(length, 0));
}
