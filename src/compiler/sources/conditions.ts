import { addLine, createLines, type Lines, lineText } from '../lines/lines.ts';
import { evaluateCondition } from './condition.ts';

type Block = {
  readonly number: number;
  /** Whether the surrounding lines are included. */
  readonly outer: boolean;
  holds: boolean;
  elseSeen: boolean;
  /** In a skipped branch: nested `!#if`s without an `!#else` so far. */
  unpaired: number;
};

type State = {
  readonly blocks: Block[];
  /** Whether the following lines are included. */
  active: boolean;
  /** The innermost block whose branch is skipped, if any. */
  skipping: Block | undefined;
};

/** Keeps the lines whose `!#if` conditions hold and removes the directives. Throws on unbalanced directives. */
export function resolveConditions(lines: Lines): Lines {
  const activeLines = createLines(lines.text, lines.count);
  const state: State = { blocks: [], active: true, skipping: undefined };
  for (let at = 0; at < lines.count; at++) {
    if (isDirective(lines, at) && applyDirective(lineText(lines, at), lines.number[at]!, state)) continue;
    if (state.active) addLine(activeLines, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
  }
  const open = state.blocks.at(-1);
  if (open) throw new Error(`line ${open.number}: this !#if is never closed by an !#endif`);
  return activeLines;
}

/** `!#…` at the start of a line. */
export function isDirective({ text: { bytes }, start, end }: Lines, at: number): boolean {
  const from = start[at]!;
  return end[at]! - from > 2 && bytes[from] === 0x21 && bytes[from + 1] === 0x23;
}

/** False if the line is not a condition. */
function applyDirective(line: string, number: number, state: State): boolean {
  if (line.startsWith('!#if')) applyIf(line, number, state);
  else if (line.startsWith('!#else')) applyElse(line, number, state);
  else if (line.startsWith('!#endif')) applyEndif(number, state);
  else return false;
  return true;
}

function applyIf(line: string, number: number, state: State): void {
  if (state.skipping) state.skipping.unpaired++;
  const outer = state.active;
  const block = { number, outer, holds: outer && holds(line, number), elseSeen: false, unpaired: 0 };
  state.blocks.push(block);
  enter(state, block);
}

function applyElse(line: string, number: number, state: State): void {
  const block = state.blocks.at(-1);
  if (line.slice('!#else'.length).trim() !== '') throw new Error(`line ${number}: nothing may follow !#else: ${line}`);
  if (!block) throw new Error(`line ${number}: this !#else has no !#if above it`);
  // In a skipped branch, the original assigns !#else to the last !#if without one, even if that is closed, and published lists depend on
  // it. In an included branch, the original fails.
  if (state.skipping && state.skipping.unpaired > 0) {
    state.skipping.unpaired--;
    return;
  }
  if (block.elseSeen) throw new Error(`line ${number}: a second !#else for the !#if of line ${block.number}`);
  block.elseSeen = true;
  block.holds = block.outer && !block.holds;
  if (state.skipping === block) state.skipping = undefined;
  enter(state, block);
}

function applyEndif(number: number, state: State): void {
  const block = state.blocks.pop();
  if (!block) throw new Error(`line ${number}: this !#endif has no !#if above it`);
  state.active = block.outer;
  if (state.skipping === block) state.skipping = undefined;
}

function enter(state: State, block: Block): void {
  state.active = block.holds;
  if (block.outer && !block.holds) state.skipping = block;
}

function holds(line: string, number: number): boolean {
  const condition = evaluateCondition(line.slice('!#if'.length));
  if (!condition.ok) throw new Error(`line ${number}: Invalid directives: ${condition.error}`);
  return condition.value;
}
