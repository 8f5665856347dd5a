import {
  alphabetOf,
  type Before,
  conditionsOf,
  MATCH,
  NOTHING,
  OTHER,
  WORD,
  WORD_CHARACTERS,
  writeSteps,
} from './expression-program.ts';
import type { ExpressionTree } from './expression-tree.ts';
import { FOREIGN, type Letters } from './letters.ts';

// What a symbol may lead to, besides another state.
const UNEXPLORED = -1;
const MATCHED = -2;
const FAILED = -3;
const NO_ROOM = -4;

// Bounds of memory: an expression takes less than a megabyte, seldom a tenth of that.
const MAX_STATES = 1000;
const MAX_STEPS_KEPT = 65_536;

/** All the steps that some way of reading the name so far has come to. */
type State = { readonly steps: Uint16Array; readonly before: Before };

/**
 * Reads each character of a name once, whatever the expression. States are found when a name leads to them, and kept:
 * then a character costs one look into a table. Where there is no room for more of them the rest of the name is read
 * step by step, which is slower, but once over the name still.
 */
export function expressionMatcher(tree: ExpressionTree): (name: Letters) => boolean {
  const { steps, first } = writeSteps(tree);
  const alphabet = alphabetOf(steps);
  const { symbolOf, end } = alphabet;
  const isWord = alphabet.symbolsIn(WORD_CHARACTERS);
  const hasWordEdges = steps.some((step) => step.kind === 'place' && step.where.endsWith('word edge'));

  // The steps by column, for `advance`.
  const isFork = Uint8Array.from(steps, (step) => (step.kind === 'fork' ? 1 : 0));
  const isPlace = Uint8Array.from(steps, (step) => (step.kind === 'place' ? 1 : 0));
  const next = Uint16Array.from(steps, (step) => step.next);
  const other = Uint16Array.from(steps, (step) => (step.kind === 'fork' ? step.other : 0));
  const conditions = conditionsOf(steps, alphabet);

  const waiting = new Uint16Array(steps.length);
  // In which round a step was met; doubles, because rounds outnumber 32 bits some day.
  const metIn = new Float64Array(steps.length);
  const reachedIn = new Float64Array(steps.length);
  let round = 0;
  let reached = new Uint16Array(steps.length);
  let spare = new Uint16Array(steps.length);

  const states: State[] = [];
  const known = new Map<string, number>();
  let stepsKept = 0;
  // Where each symbol leads from each state: a row for a state.
  const width = end + 1;
  let leadsTo = new Int16Array(0);
  const start = keep({ steps: new Uint16Array(0), before: NOTHING }, '');
  const beginsAnywhere = mayBeginBehind(WORD) || mayBeginBehind(OTHER);

  return (name) => {
    let state = start;
    for (let at = 0; ; at++) {
      // No call in this loop: it is three times as fast so.
      const rows = leadsTo;
      const symbols = symbolOf;
      const { letters, length } = name;
      for (; at < length; at++) {
        const to = rows[state * width + symbols[letters[at]!]!]!;
        if (to < 0) break;
        state = to;
      }
      const symbol = symbolAt(name, at);
      let to = leadsTo[state * width + symbol]!;
      if (to === UNEXPLORED) to = explore(state, symbol);
      if (to === NO_ROOM) return readOn(states[state]!, name, at);
      if (to < 0) return to === MATCHED;
      state = to;
    }
  };

  function symbolAt({ letters, length }: Letters, at: number): number {
    return at === length ? end : symbolOf[Math.min(letters[at]!, FOREIGN)]!;
  }

  function behind(symbol: number): Before {
    return hasWordEdges && isWord[symbol] === 1 ? WORD : OTHER;
  }

  /** Whether a match can begin elsewhere than at the start of the name; if not, most names are soon done with. */
  function mayBeginBehind(before: Before): boolean {
    for (let symbol = 0; symbol <= end; symbol++) if (advance(reached, 0, before, symbol) !== 0) return true;
    return false;
  }

  function explore(from: number, symbol: number): number {
    const { steps: standing, before } = states[from]!;
    const count = advance(standing, standing.length, before, symbol);
    const isOver = symbol === end || (count === 0 && !beginsAnywhere);
    const to = count === MATCHED ? MATCHED : isOver ? FAILED : stateOf(reached.slice(0, count).sort(), behind(symbol));
    leadsTo[from * width + symbol] = to;
    return to;
  }

  function stateOf(standing: Uint16Array, before: Before): number {
    const key = String.fromCharCode(before, ...standing);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (states.length >= MAX_STATES || stepsKept + standing.length > MAX_STEPS_KEPT) return NO_ROOM;
    return keep({ steps: standing, before }, key);
  }

  function keep(state: State, key: string): number {
    const number = states.push(state) - 1;
    known.set(key, number);
    stepsKept += state.steps.length;
    if (leadsTo.length < states.length * width) {
      const longer = new Int16Array(2 * states.length * width).fill(UNEXPLORED);
      longer.set(leadsTo);
      leadsTo = longer;
    }
    return number;
  }

  function readOn(from: State, name: Letters, begin: number): boolean {
    let { steps: standing, before } = from;
    let count = standing.length;
    for (let at = begin; at <= name.length; at++) {
      const symbol = symbolAt(name, at);
      count = advance(standing, count, before, symbol);
      if (count === MATCHED) return true;
      standing = reached;
      [reached, spare] = [spare, reached];
      before = behind(symbol);
    }
    return false;
  }

  /** Fills `reached` with the steps behind a symbol and says how many they are, or that the name matches. */
  function advance(standing: Uint16Array, count: number, before: Before, symbol: number): number {
    round += 1;
    const column = before * width + symbol;
    let waitingCount = 0;
    let reachedCount = 0;
    const standAt = (step: number): void => {
      if (metIn[step] === round) return;
      metIn[step] = round;
      waiting[waitingCount++] = step;
    };
    // A match may begin anywhere, so the first step is always one of them.
    standAt(first);
    for (let index = 0; index < count; index++) standAt(standing[index]!);
    while (waitingCount > 0) {
      const step = waiting[--waitingCount]!;
      if (step === MATCH) return MATCHED;
      if (isFork[step] === 1) {
        standAt(next[step]!);
        standAt(other[step]!);
      } else if (conditions[step]![column] === 1) {
        const to = next[step]!;
        if (isPlace[step] === 1) standAt(to);
        else if (reachedIn[to] !== round) {
          reachedIn[to] = round;
          reached[reachedCount++] = to;
        }
      }
    }
    return reachedCount;
  }
}
