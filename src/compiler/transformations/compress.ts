import {
  BLOCK,
  type Block,
  type ByteTable,
  createBlock,
  createByteTable,
  findBlock,
  findOrAddBlock,
  HASH_SEED,
  hashByte,
  mayHave,
} from '../lines/byte-table.ts';
import type { Lines } from '../lines/lines.ts';
import { type Names, writeNameRules } from './name-rules.ts';
import type { Drop } from './transformation.ts';

const DOT = 0x2e;

/**
 * Writes hosts lines and plain domains as `||name^`, then drops each name that stands already or that a parent
 * covers. Only bare names take part: a modifier may make a parent narrower than its child.
 */
export function compress(lines: Lines, drop: Drop): void {
  const names = writeNameRules(lines);
  const table = createByteTable(lines.count);
  dropSameNames(lines, names, table, drop);
  dropCoveredNames(lines, names, table, drop);
}

function dropSameNames({ text: { bytes }, count }: Lines, names: Names, table: ByteTable, drop: Drop): void {
  const block = createBlock();
  for (let from = 0; from < count; from += BLOCK) {
    fillBlock(block, names, from, Math.min(from + BLOCK, count));
    findOrAddBlock(table, bytes, block);
    for (let item = 0; item < block.count; item++) {
      if (block.found[item] === -1) continue;
      names.end[block.value[item]!] = 0;
      drop(block.value[item]!, 'same name', block.found[item]);
    }
  }
}

function fillBlock(block: Block, names: Names, from: number, to: number): void {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (names.end[at] === 0) continue;
    block.start[count] = names.start[at]!;
    block.end[count] = names.end[at]!;
    block.value[count++] = at;
  }
  block.count = count;
}

function dropCoveredNames({ text: { bytes }, count }: Lines, names: Names, table: ByteTable, drop: Drop): void {
  // Parents that may stand in the table; of each name the shortest comes first. Their value is the line of the name.
  const parents = createBlock();
  const lookUp = (): void => {
    findBlock(table, bytes, parents);
    for (let item = 0; item < parents.count; item++) {
      const line = parents.value[item]!;
      if (parents.found[item] === -1 || names.end[line] === 0) continue;
      names.end[line] = 0;
      drop(line, 'covered by a parent', parents.found[item]);
    }
    parents.count = 0;
  };
  for (let at = 0; at < count; at++) if (names.end[at] !== 0) collectParents(parents, lookUp, table, bytes, names, at);
  lookUp();
}

function collectParents(
  parents: Block,
  lookUp: () => void,
  table: ByteTable,
  bytes: Uint8Array,
  names: Names,
  line: number,
): void {
  const start = names.start[line]!;
  const end = names.end[line]!;
  let hash = HASH_SEED;
  for (let at = end - 1; at >= start; at--) {
    if (bytes[at] === DOT && mayHave(table, hash)) {
      const item = parents.count++;
      parents.hash[item] = hash;
      parents.start[item] = at + 1;
      parents.end[item] = end;
      parents.value[item] = line;
      if (parents.count === BLOCK) lookUp();
    }
    hash = hashByte(hash, bytes[at]!);
  }
}
