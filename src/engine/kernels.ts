import { kernelCode } from './kernel-code.ts';

/**
 * Loops over every byte of names and lists, in WebAssembly, which has 64-bit integers and vectors. The documented
 * sources are in kernels/. Each instance has its own memory.
 */
export type Kernels = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly beginText: (from: number, to: number, first: number, second: number) => void;
  readonly readLines: () => number;
  readonly useSecret: (first: number, second: number) => void;
  readonly hashName: (filter: number, bytes: number, rules: number) => number;
  readonly initVerdictCache: (at: number, lines: number) => void;
  readonly putVerdict: (position: number, slot: number) => void;
} & { readonly [Name in ColumnName]: { readonly value: number } };

type ColumnName =
  | ('name' | 'starts' | 'high' | 'low' | 'words' | 'filters' | 'cachedVerdict')
  | ('lineStart' | 'lineEnd' | 'lineKind' | 'lineHigh' | 'lineLow' | 'textStart');

// Missing in Node's types.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

export function createKernels(): Kernels {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelCode, 'base64'));
  return new WebAssembly.Instance(compiled).exports as Kernels;
}
