import { kernelCode } from './kernel-code.ts';

/**
 * Loops over all bytes of all lines, in WebAssembly: most compilations end before V8 would have optimised these loops in JavaScript. The
 * sources are in kernels/.
 *
 * A kernel processes the first `count` lines of its block; `first` is the index of the block's first line in the list.
 * Kernels that pick lines return how many they picked.
 */
export type Kernels = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly textStart: Constant;
  readonly isAscii: (from: number, to: number) => number;
  readonly totalLength: (count: number) => number;
  readonly beginLines: (from: number, to: number, firstNumber: number) => void;
  readonly splitLines: () => number;
  readonly countBreaks: (from: number, to: number) => number;
  readonly readNames: Prefilter;
  readonly writeNames: (count: number, start: number) => number;
  readonly enterSuffixes: (from: number, to: number) => void;
  readonly hashOf: (from: number, to: number) => number;
  readonly hashLines: (count: number) => void;
  readonly tableLength: (entries: number) => number;
  readonly createTable: (start: number, entries: number) => void;
  readonly findOrAdd: Prefilter;
  readonly findParents: Prefilter;
  readonly clearBloom: () => void;
  readonly addUnnormalized: (count: number) => number;
  readonly compactLines: (count: number) => number;
  readonly writeLines: (count: number, start: number) => number;
} & { readonly [Name in PrefilterName]: Prefilter } & { readonly [Name in ColumnName]: Constant };

type Constant = { readonly value: number };
type Prefilter = (count: number, first: number) => number;

export type PrefilterName =
  | 'pickMarked'
  | 'pickEdged'
  | 'pickEdgedOrModified'
  | 'pickNonAscii'
  | 'pickCapital'
  | 'pickUnnormalized'
  | 'pickInBloom';

/** The columns of the block, as views of the memory. */
export type Block = { readonly [Name in (typeof wordColumns)[number]]: Int32Array } & {
  readonly [Name in (typeof byteColumns)[number]]: Uint8Array;
};

export const BLOCK = 4096;

/** Flag of a line that does not have the form `||name^` yet. */
export const TO_BE_WRITTEN = 1;
const wordColumns = ['start', 'end', 'source', 'number', 'nameStart', 'nameEnd', 'hash', 'found', 'picked'] as const;
const byteColumns = ['traits', 'clear', 'dropped'] as const;
type ColumnName = (typeof wordColumns)[number] | (typeof byteColumns)[number];

// Missing in Node's types.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

/** Creates kernels with their own memory. */
export function createKernels(): Kernels {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelCode, 'base64'));
  return new WebAssembly.Instance(compiled).exports as Kernels;
}

/** Views; read again after the memory has grown. */
export function viewBlock(kernels: Kernels): Block {
  const { buffer } = kernels.memory;
  return Object.fromEntries([
    ...wordColumns.map((name) => [name, new Int32Array(buffer, kernels[name].value, BLOCK)]),
    ...byteColumns.map((name) => [name, new Uint8Array(buffer, kernels[name].value, BLOCK)]),
  ]) as Block;
}
