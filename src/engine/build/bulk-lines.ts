import { createKernels, type Kernels } from '../kernels.ts';
import type { HashKey } from '../name-keys.ts';
import { DOMAIN_FORM, LOOPBACK_FORM, NAME_FORM, ZERO_FORM } from './domain-rule-forms.ts';
import { domainRuleKind } from './domain-rules.ts';

/** Lines of a list as the kernels see them: most are nothing but one name in one of the usual forms. */
export type BulkLines = {
  count: number;
  /** Where lines begin and end, counted from the first byte of the piece that they stand in. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** What each is; see `isUnclear`, `isComment`, `shapeOf` and `labelsOf`. */
  readonly kinds: Int32Array;
  /** For names, their fingerprints. */
  readonly high: Int32Array;
  readonly low: Int32Array;
};

// By the numbers that the kernels give to them; the first two are no names.
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
export const isUnclear = (kind: number): boolean => kind === 0;
export const isComment = (kind: number): boolean => kind === 1;
export const shapeOf = (kind: number): Shape => shapes[kind & 0xff]!;
export const labelsOf = (kind: number): number => kind >>> 8;

const BLOCK = 2048;
const PART_BYTES = 128 * 1024;
const VECTOR = 16;
const PAGE = 65_536;
const LF = 0x0a;

/** Reads pieces of a list, some lines at a time. The lines are valid until the next are read. */
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

/** As many whole lines as are to be read at once, but at least one. */
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

/** To be viewed again whenever the memory has grown. */
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
