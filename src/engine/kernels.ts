import { kernelCode } from './kernel-code.ts';

/**
 * The loops over every byte of names and lists, in WebAssembly: it has whole words where JavaScript has halves. Their
 * sources, with what each does, are in kernels/. Each instance has a memory of its own.
 */
export type Kernels = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly beginText: (from: number, to: number, first: number, second: number) => void;
  readonly readLines: () => number;
  readonly useSecret: (first: number, second: number) => void;
  readonly hashName: (filter: number, bytes: number, rules: number) => number;
  readonly initVerdictCache: (at: number, lines: number) => void;
  readonly putVerdict: (place: number, slot: number) => void;
} & { readonly [Name in ColumnName]: { readonly value: number } };

type ColumnName =
  | ('name' | 'starts' | 'high' | 'low' | 'words' | 'filters' | 'cachedVerdict')
  | ('lineStart' | 'lineEnd' | 'lineKind' | 'lineHigh' | 'lineLow' | 'textStart');

// What the types of Node do not tell.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

export function createKernels(): Kernels {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelCode, 'base64'));
  return new WebAssembly.Instance(compiled).exports as Kernels;
}
