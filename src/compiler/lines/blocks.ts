import { BLOCK, type PrefilterName } from './kernels.ts';
import type { Lines } from './lines.ts';
import type { Workspace } from './workspace.ts';

/** Copies block after block of lines into the kernels' memory. */
export function eachBlock(lines: Lines, run: (workspace: Workspace, first: number, count: number) => void): void {
  for (let first = 0; first < lines.count; first += BLOCK) {
    const count = Math.min(BLOCK, lines.count - first);
    const { block } = lines.text;
    for (const column of columns) block[column].set(lines[column].subarray(first, first + count));
    run(lines.text, first, count);
  }
}

const columns = ['start', 'end', 'clear'] as const;

/** Indexes of the lines picked by a kernel, in order. */
export function pick(lines: Lines, prefilter: PrefilterName): Int32Array {
  const parts: Int32Array[] = [];
  eachBlock(lines, ({ kernels, block }, first, count) => {
    parts.push(block.picked.slice(0, kernels[prefilter](count, first)));
  });
  return joined(parts);
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}
