import { suffixesBelow } from '../../rules/public-suffixes.ts';
import { type Block, createKernels, type Kernels, viewBlock } from './kernels.ts';
import { append, reserve, type Text } from './text.ts';

/** The text of a compilation, in the memory of the kernels that work on it. */
export type Workspace = Text & {
  readonly kernels: Kernels;
  /** To be read again, as `bytes`, after room was made. */
  block: Block;
  knowsSuffixes: boolean;
};

const PAGE = 2 ** 16;
// Memory grows where it stands: nothing is copied, so a step can be small.
const STEP = 2 ** 20;
// Kernels read and write whole vectors, also at the very end of the text.
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

/** Makes the table of the kernels, behind the text: it stands until more is written there. */
export function createTable(workspace: Workspace, entries: number): void {
  const { kernels } = workspace;
  reserve(workspace, kernels.tableLength(entries) + VECTOR);
  kernels.createTable(Math.ceil(workspace.length / VECTOR) * VECTOR, entries);
}

// Of use to every compilation of a process that makes many.
let suffixText: Uint8Array | undefined;

const suffixLines = (): string[] => Object.entries(suffixesBelow).map(([domain, names]) => `${names} ${domain}`);

/** Tells the kernels which names may be public suffixes, once. */
export function enterSuffixes(workspace: Workspace): void {
  if (workspace.knowsSuffixes) return;
  suffixText ??= new TextEncoder().encode(suffixLines().join('\n'));
  const start = append(workspace, suffixText);
  workspace.kernels.enterSuffixes(start, workspace.length);
  workspace.length = start;
  workspace.knowsSuffixes = true;
}
