import { addLine, createLines, type Lines, lineText } from '../lines/lines.ts';
import { evaluateCondition } from './condition.ts';

type Block = {
  readonly number: number;
  /** Whether the lines around the block are kept at all. */
  readonly outer: boolean;
  holds: boolean;
  elseSeen: boolean;
  /** In a branch that is not taken: the `!#if`s in it that no `!#else` has followed yet. */
  unpaired: number;
};

/** Keeps the lines whose `!#if` conditions hold; the directives themselves go. Throws on what does not pair up. */
export function resolveConditions(lines: Lines): Lines {
  const kept = createLines(lines.text, lines.count);
  const blocks: Block[] = [];
  let active = true;
  for (let at = 0; at < lines.count; at++) {
    if (isDirective(lines, at)) {
      const changed = applyDirective(lineText(lines, at), lines.number[at]!, blocks, active);
      if (changed !== undefined) {
        active = changed;
        continue;
      }
    }
    if (active) addLine(kept, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
  }
  const open = blocks.at(-1);
  if (open) throw new Error(`line ${open.number}: this !#if is never closed by an !#endif`);
  return kept;
}

/** `!#…` at the very beginning of a line. */
export function isDirective({ text: { bytes }, start, end }: Lines, at: number): boolean {
  const from = start[at]!;
  return end[at]! - from > 2 && bytes[from] === 0x21 && bytes[from + 1] === 0x23;
}

/** Whether the lines that follow are kept; undefined when the line is no condition. */
function applyDirective(line: string, number: number, blocks: Block[], active: boolean): boolean | undefined {
  const skipping = blocks.find((block) => block.outer && !block.holds);
  if (line.startsWith('!#if')) {
    if (skipping) skipping.unpaired++;
    blocks.push({ number, outer: active, holds: active && holds(line, number), elseSeen: false, unpaired: 0 });
    return blocks.at(-1)!.holds;
  }
  if (line.startsWith('!#else')) return applyElse(line, number, blocks.at(-1), skipping);
  if (!line.startsWith('!#endif')) return undefined;
  const block = blocks.pop();
  if (!block) throw new Error(`line ${number}: this !#endif has no !#if above it`);
  return block.outer;
}

function applyElse(line: string, number: number, block: Block | undefined, skipping: Block | undefined): boolean {
  if (line.slice('!#else'.length).trim() !== '') throw new Error(`line ${number}: nothing may follow !#else: ${line}`);
  if (!block) throw new Error(`line ${number}: this !#else has no !#if above it`);
  // In a branch that is not taken the original gives an !#else to the last !#if that has none, also to one that is
  // closed: lists are published with that result. In a branch that is taken it would be an error there.
  if (skipping && skipping.unpaired > 0) {
    skipping.unpaired--;
    return false;
  }
  if (block.elseSeen) throw new Error(`line ${number}: a second !#else for the !#if of line ${block.number}`);
  block.elseSeen = true;
  block.holds = block.outer && !block.holds;
  return block.holds;
}

function holds(line: string, number: number): boolean {
  const condition = evaluateCondition(line.slice('!#if'.length));
  if (!condition.ok) throw new Error(`line ${number}: Invalid directives: ${condition.error}`);
  return condition.value;
}
