import { suffixesBelow } from '../../rules/public-suffixes.ts';
import { type Block, createKernels, type Kernels, viewBlock } from './kernels.ts';
import { append, reserve, type Text } from './text.ts';

/** Text of a compilation in the kernels' memory. */
export type Workspace = Text & {
  readonly kernels: Kernels;
  /** Must be read again after growth, like `bytes`. */
  block: Block;
  knowsSuffixes: boolean;
};

const PAGE = 2 ** 16;
// WebAssembly memory grows in place without copying, so steps can be small.
const STEP = 2 ** 20;
// Kernels read and write whole vectors, also past the end of the text.
const VECTOR = 16;

export function createWorkspace(): Workspace {
  const kernels = createKernels();
  const { memory } = kernels;
  const viewText = (): Uint8Array => new Uint8Array(memory.buffer, 0, memory.buffer.byteLength - VECTOR);
  return {
    kernels,
    block: viewBlock(kernels),
    bytes: viewText(),
    length: kernels.textStart.value,
    knowsSuffixes: false,
    grow(needed) {
      const pages = Math.ceil((needed + VECTOR) / STEP) * (STEP / PAGE);
      memory.grow(pages - memory.buffer.byteLength / PAGE);
      this.block = viewBlock(kernels);
      this.bytes = viewText();
    },
  };
}

/** Creates the kernels' hash table after the text; valid until text is appended. */
export function createTable(workspace: Workspace, entries: number): void {
  const { kernels } = workspace;
  reserve(workspace, kernels.tableLength(entries) + VECTOR);
  kernels.createTable(Math.ceil(workspace.length / VECTOR) * VECTOR, entries);
}

// Shared by all compilations of a process.
let suffixText: Uint8Array | undefined;

const suffixLines = (): string[] => Object.entries(suffixesBelow).map(([domain, names]) => `${names} ${domain}`);

/** Loads the public suffixes into the kernels, once. */
export function enterSuffixes(workspace: Workspace): void {
  if (workspace.knowsSuffixes) return;
  suffixText ??= new TextEncoder().encode(suffixLines().join('\n'));
  const start = append(workspace, suffixText);
  workspace.kernels.enterSuffixes(start, workspace.length);
  workspace.length = start;
  workspace.knowsSuffixes = true;
}
