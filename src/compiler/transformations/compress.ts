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
  const parents = createParents(lines.count);
  dropSameNames(lines, names, parents, table, drop);
  dropCoveredNames(lines, names, parents, table, drop);
}

/**
 * What was seen of the parents of each name while the name was hashed: it saves most names from being read again.
 */
type Parents = {
  /** The hash of the parent of one label. */
  readonly topHash: Int32Array;
  /** Start and hash of the parent of two labels; 0 for names that have none. */
  readonly start: Int32Array;
  readonly hash: Int32Array;
  /** 1 for names that have further parents. */
  readonly more: Uint8Array;
  /** Marks of the names that are one label themselves: few lists have more than a handful. */
  readonly dotless: Uint8Array;
};

const DOTLESS_MARKS = 2 ** 12;

const createParents = (count: number): Parents => ({
  topHash: new Int32Array(count),
  start: new Int32Array(count),
  hash: new Int32Array(count),
  more: new Uint8Array(count),
  dotless: new Uint8Array(DOTLESS_MARKS),
});

const dotlessMark = (hash: number): number => (hash ^ (hash >>> 15)) & (DOTLESS_MARKS - 1);

function dropSameNames(lines: Lines, names: Names, parents: Parents, table: ByteTable, drop: Drop): void {
  const { bytes } = lines.text;
  const block = createBlock();
  for (let from = 0; from < lines.count; from += BLOCK) {
    fillBlock(block, names, from, Math.min(from + BLOCK, lines.count));
    hashNames(bytes, block, parents);
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

function hashNames(bytes: Uint8Array, { count, start, end, hash: hashes, value }: Block, parents: Parents): void {
  for (let item = 0; item < count; item++) {
    const line = value[item]!;
    const first = start[item]!;
    let hash = HASH_SEED;
    let dots = 0;
    for (let at = end[item]! - 1; at >= first; at--) {
      if (bytes[at] === DOT) {
        dots++;
        if (dots === 1) parents.topHash[line] = hash;
        else if (dots === 2) {
          parents.start[line] = at + 1;
          parents.hash[line] = hash;
        }
      }
      hash = hashByte(hash, bytes[at]!);
    }
    if (dots === 0) parents.dotless[dotlessMark(hash)] = 1;
    else if (dots > 2) parents.more[line] = 1;
    hashes[item] = hash;
  }
}

function dropCoveredNames(
  { text: { bytes }, count }: Lines,
  names: Names,
  parents: Parents,
  table: ByteTable,
  drop: Drop,
): void {
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
    const parent = parents.start[at]!;
    if (parents.dotless[dotlessMark(parents.topHash[at]!)] === 1) {
      addParents(block, lookUp, table, bytes, names.start[at]!, end, end, HASH_SEED, at);
    } else if (parent !== 0) {
      if (mayHave(table, parents.hash[at]!)) addParent(block, lookUp, parent, end, parents.hash[at]!, at);
      if (parents.more[at] === 0) continue;
      addParents(block, lookUp, table, bytes, names.start[at]!, parent - 1, end, hashByte(parents.hash[at]!, DOT), at);
    }
  }
  lookUp();
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
