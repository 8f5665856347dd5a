import { createKernels, type Kernels } from '../kernels.ts';
import type { HashKey } from '../name-keys.ts';
import { DOMAIN_FORM, LOOPBACK_FORM, NAME_FORM, ZERO_FORM } from './domain-rule-forms.ts';
import { domainRuleKind } from './domain-rules.ts';

/** Lines of a list as parsed by the kernels: most are a single name in a common form. */
export type BulkLines = {
  count: number;
  /** Offsets of the lines within their piece. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Kind of each line; see `needsParser`, `isComment`, `shapeOf` and `labelsOf`. */
  readonly kinds: Int32Array;
  /** Fingerprints of names. */
  readonly high: Int32Array;
  readonly low: Int32Array;
};

// Indexed by the kernels' shape numbers; the first two are not names.
const shapes = [
  undefined,
  undefined,
  { kind: domainRuleKind(false, 'domain'), form: DOMAIN_FORM },
  { kind: domainRuleKind(true, 'domain'), form: DOMAIN_FORM },
  { kind: domainRuleKind(false, 'exact'), form: ZERO_FORM },
  { kind: domainRuleKind(false, 'exact'), form: LOOPBACK_FORM },
  { kind: domainRuleKind(false, 'exact'), form: NAME_FORM },
] as const;

/** The kind of a domain rule and how it is written. */
export type Shape = { readonly kind: number; readonly form: number };

/** Not decided by the kernel: the line is parsed. */
export const needsParser = (kind: number): boolean => kind === 0;
export const isComment = (kind: number): boolean => kind === 1;
export const shapeOf = (kind: number): Shape => shapes[kind & 0xff]!;
export const labelsOf = (kind: number): number => kind >>> 8;

const BLOCK = 2048;
const PART_BYTES = 128 * 1024;
const VECTOR = 16;
const PAGE = 65_536;
const LF = 0x0a;

/** Reads a piece of a list, some lines at a time. The result is valid until the next call. */
export function createBulkReader(key: HashKey): (piece: Uint8Array, from: number) => Iterable<BulkLines> {
  const kernels = createKernels();
  const textStart = kernels.textStart.value;
  let lines = viewLines(kernels);
  return function* (piece, from) {
    for (let at = from, end = at; at < piece.length; at = end) {
      end = endOfPart(piece, at);
      if (makeRoom(kernels, textStart + end - at + VECTOR)) lines = viewLines(kernels);
      new Uint8Array(kernels.memory.buffer).set(piece.subarray(at, end), textStart);
      kernels.beginText(textStart, textStart + end - at, key.first, key.second);
      for (lines.count = kernels.readLines(); lines.count > 0; lines.count = kernels.readLines()) {
        moveTo(lines, at - textStart);
        yield lines;
      }
    }
  };
}

/** As many whole lines as fit one call, at least one. */
function endOfPart(piece: Uint8Array, at: number): number {
  if (piece.length - at <= PART_BYTES) return piece.length;
  const last = piece.lastIndexOf(LF, at + PART_BYTES - 1);
  if (last >= at) return last + 1;
  const next = piece.indexOf(LF, at + PART_BYTES);
  return next === -1 ? piece.length : next + 1;
}

function makeRoom({ memory }: Kernels, bytes: number): boolean {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return missing > 0;
}

/** Must be called again after the memory has grown. */
function viewLines(kernels: Kernels): BulkLines {
  const column = ({ value }: { readonly value: number }): Int32Array =>
    new Int32Array(kernels.memory.buffer, value, BLOCK);
  return {
    count: 0,
    starts: column(kernels.lineStart),
    ends: column(kernels.lineEnd),
    kinds: column(kernels.lineKind),
    high: column(kernels.lineHigh),
    low: column(kernels.lineLow),
  };
}

function moveTo({ count, starts, ends }: BulkLines, by: number): void {
  for (let nth = 0; nth < count; nth++) {
    starts[nth]! += by;
    ends[nth]! += by;
  }
}
