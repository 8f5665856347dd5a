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
import { reserve, type Text } from '../lines/text.ts';
import { CLEAR, DOTLESS, findNames, MORE_PARENTS, type Names, TO_BE_WRITTEN, TOP_MARKS, topMark } from './names.ts';
import type { Drop } from './transformation.ts';

const BAR = 0x7c;
const CARET = 0x5e;
const DOT = 0x2e;
const LF = 0x0a;

/**
 * Drops each name that stands already or that a parent covers, and writes hosts lines and plain domains as
 * `||name^`. Only bare names take part: a modifier may make a parent narrower than its child.
 */
export function compress(lines: Lines, drop: Drop): void {
  const names = findNames(lines);
  const table = createByteTable(lines.count);
  dropSameNames(lines, names, table, drop);
  dropCoveredNames(lines, names, table, drop);
  writeNames(lines, names);
}

function dropSameNames(lines: Lines, names: Names, table: ByteTable, drop: Drop): void {
  const block = createBlock();
  for (let from = 0; from < lines.count; from += BLOCK) {
    fillBlock(block, names, from, Math.min(from + BLOCK, lines.count));
    findOrAddBlock(table, lines.text.bytes, block);
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
    block.hash[count] = names.hash[at]!;
    block.value[count++] = at;
  }
  block.count = count;
}

function dropCoveredNames({ text: { bytes }, count }: Lines, names: Names, table: ByteTable, drop: Drop): void {
  const dotless = markDotless(names, count);
  // Parents that may stand in the table; of each name the shortest comes first. Their value is the line of the name.
  const block = createBlock();
  const lookUp = (): void => {
    findBlock(table, bytes, block);
    for (let item = 0; item < block.count; item++) {
      const line = block.value[item]!;
      if (block.found[item] === -1 || names.end[line] === 0) continue;
      names.end[line] = 0;
      drop(line, 'covered by a parent', block.found[item]);
    }
    block.count = 0;
  };
  for (let at = 0; at < count; at++) {
    const end = names.end[at]!;
    if (end === 0) continue;
    const parent = names.parentStart[at]!;
    const hash = names.parentHash[at]!;
    if (dotless[names.topMark[at]!] === 1) {
      addParents(block, lookUp, table, bytes, names.start[at]!, end, end, HASH_SEED, at);
    } else if (parent !== 0) {
      if (mayHave(table, hash)) addParent(block, lookUp, parent, end, hash, at);
      if ((names.traits[at]! & MORE_PARENTS) === 0) continue;
      addParents(block, lookUp, table, bytes, names.start[at]!, parent - 1, end, hashByte(hash, DOT), at);
    }
  }
  lookUp();
}

/** Names of one label cover whole top-level domains. Few lists have more than a handful: most names need not look. */
function markDotless(names: Names, count: number): Uint8Array {
  const marks = new Uint8Array(TOP_MARKS);
  for (let at = 0; at < count; at++) {
    if (names.end[at] !== 0 && (names.traits[at]! & DOTLESS) !== 0) marks[topMark(names.hash[at]!)] = 1;
  }
  return marks;
}

/** Adds the parents that begin before `from`, where the hash of what follows is known. */
function addParents(
  block: Block,
  lookUp: () => void,
  table: ByteTable,
  bytes: Uint8Array,
  start: number,
  from: number,
  end: number,
  hashOfRest: number,
  line: number,
): void {
  let hash = hashOfRest;
  for (let at = from - 1; at >= start; at--) {
    if (bytes[at] === DOT && mayHave(table, hash)) addParent(block, lookUp, at + 1, end, hash, line);
    hash = hashByte(hash, bytes[at]!);
  }
}

function addParent(block: Block, lookUp: () => void, start: number, end: number, hash: number, line: number): void {
  const item = block.count++;
  block.start[item] = start;
  block.end[item] = end;
  block.hash[item] = hash;
  block.value[item] = line;
  if (block.count === BLOCK) lookUp();
}

/** Gives the names that are left their rule, and marks those that later steps need not examine. */
function writeNames(lines: Lines, names: Names): void {
  for (let at = 0; at < lines.count; at++) {
    const end = names.end[at]!;
    if (end === 0) continue;
    const traits = names.traits[at]!;
    if ((traits & TO_BE_WRITTEN) !== 0) {
      const start = appendRule(lines.text, names.start[at]!, end);
      lines.start[at] = start;
      lines.end[at] = start + end - names.start[at]! + 3;
    }
    if ((traits & CLEAR) !== 0) lines.clear[at] = 1;
  }
}

/** Adds `||name^` for a name that stands elsewhere in the text, and says where it begins. */
function appendRule(text: Text, start: number, end: number): number {
  const at = text.length;
  const bytes = reserve(text, end - start + 4);
  let to = at;
  bytes[to++] = BAR;
  bytes[to++] = BAR;
  for (let from = start; from < end; from++) bytes[to++] = bytes[from]!;
  bytes[to++] = CARET;
  // Between the rules, so that they can later be copied in one piece.
  bytes[to++] = LF;
  text.length = to;
  return at;
}
