import { type AsciiBytes, NON_ASCII } from '../ascii-bytes.ts';
import { advance, columnOf, MATCHED, openProgram, type Program, type RegexCode } from './regex-code.ts';
import { type Before, NOTHING, OTHER, WORD } from './regex-program.ts';
import type { AutomatonHolder, RegexRunner, TestBytes } from './regex-runner.ts';

// Transitions other than to a state.
const UNEXPLORED = -1;
const FAILED = -3;
const NOT_KEPT = -4;

// State numbers have 15 bits.
const MAX_STATES = 1000;
/** Bytes of a state in addition to its steps and rows: two objects, a key and a map entry. */
const STATE_BYTES = 200;

/** A DFA state: the set of NFA steps reached by the name so far. */
type State = { readonly steps: Uint16Array; readonly before: Before };

const START: State = { steps: new Uint16Array(0), before: NOTHING };

type Automaton = {
  readonly states: State[];
  readonly stateNumbers: Map<string, number>;
  /** Transition of each symbol, one row per state, and its cost in steps without an automaton. */
  leadsTo: Int16Array;
  costs: Uint16Array;
  drop(): void;
};

/**
 * Lazy DFA: reads each character of a name once, for any expression. States are created when first reached and cached
 * while memory allows; then a character costs one table lookup. Otherwise the name is simulated step by step, which is
 * slower. The charged steps are always those of the simulation, so that the budget does not depend on earlier names.
 */
export function regexMatcher(code: RegexCode, holder: AutomatonHolder): TestBytes {
  const program = openProgram(code);
  const { width, end, symbolOf } = program;
  let automaton: Automaton | undefined;

  return (name, runner) => {
    const its = automaton ?? newAutomaton(runner);
    if (its === undefined) return readOn(START, name, 0, runner);
    runner.automata.use(holder);
    let state = 0;
    for (let at = 0; ; at++) {
      const { leadsTo, costs } = its;
      const symbols = symbolOf;
      const { letters, length } = name;
      let taken = 0;
      // Inlined: without calls, this loop is three times as fast.
      for (; at < length; at++) {
        const transition = state * width + symbols[letters[at]!]!;
        const to = leadsTo[transition]!;
        if (to < 0) break;
        taken += costs[transition]!;
        state = to;
      }
      runner.stepsLeft -= taken;
      if (runner.stepsLeft < 0) return false;
      const symbol = symbolAt(name, at);
      const transition = state * width + symbol;
      let to = leadsTo[transition]!;
      if (to === UNEXPLORED) {
        to = explore(its, state, symbol, runner);
        if (to === NOT_KEPT) return readOn(its.states[state]!, name, at, runner);
      }
      runner.stepsLeft -= its.costs[transition]!;
      if (to < 0) return to === MATCHED && runner.stepsLeft >= 0;
      state = to;
    }
  };

  function symbolAt({ letters, length }: AsciiBytes, at: number): number {
    return at === length ? end : symbolOf[Math.min(letters[at]!, NON_ASCII)]!;
  }

  function newAutomaton(runner: RegexRunner): Automaton | undefined {
    if (runner.statesLeft <= 0) return undefined;
    runner.statesLeft -= 1;
    if (!runner.automata.take(holder, STATE_BYTES + 4 * width)) return undefined;
    automaton = {
      states: [START],
      stateNumbers: new Map([[String.fromCharCode(NOTHING), 0]]),
      leadsTo: new Int16Array(width).fill(UNEXPLORED),
      costs: new Uint16Array(width),
      drop: () => {
        automaton = undefined;
      },
    };
    holder.automata.add(automaton);
    return automaton;
  }

  /** Computes a transition; `NOT_KEPT` if memory or the budget does not allow a new state. */
  function explore(of: Automaton, from: number, symbol: number, runner: RegexRunner): number {
    const { steps, before } = of.states[from]!;
    const { scratch } = runner;
    const count = advance(program, scratch, steps, steps.length, columnOf(program, before, symbol));
    const isOver = symbol === end || (count === 0 && !program.beginsAnywhere);
    const cost = 1 + scratch.visited;
    let to = count === MATCHED ? MATCHED : FAILED;
    if (count !== MATCHED && !isOver) {
      to = stateOf(of, scratch.reached.slice(0, count).sort(), behind(program, symbol), runner);
      if (to === NOT_KEPT) return to;
    }
    const transition = from * width + symbol;
    of.leadsTo[transition] = to;
    of.costs[transition] = cost;
    return to;
  }

  function stateOf(of: Automaton, steps: Uint16Array, before: Before, runner: RegexRunner): number {
    const key = String.fromCharCode(before, ...steps);
    const found = of.stateNumbers.get(key);
    if (found !== undefined) return found;
    if (of.states.length >= MAX_STATES || runner.statesLeft <= 0) return NOT_KEPT;
    runner.statesLeft -= 1;
    const bytes = STATE_BYTES + 4 * steps.length + 4 * width;
    if (!runner.automata.take(holder, bytes)) return NOT_KEPT;
    const number = of.states.push({ steps, before }) - 1;
    of.stateNumbers.set(key, number);
    makeRows(of, of.states.length * width);
    return number;
  }

  /** Simulates the rest of the name step by step. */
  function readOn(from: State, name: AsciiBytes, begin: number, runner: RegexRunner): boolean {
    const { scratch } = runner;
    let { steps, before } = from;
    let count = steps.length;
    for (let at = begin; at <= name.length; at++) {
      const symbol = symbolAt(name, at);
      count = advance(program, scratch, steps, count, columnOf(program, before, symbol));
      runner.stepsLeft -= 1 + scratch.visited;
      if (runner.stepsLeft < 0) return false;
      if (count === MATCHED) return true;
      if (count === 0 && !program.beginsAnywhere) return false;
      steps = scratch.reached;
      [scratch.reached, scratch.spare] = [scratch.spare, scratch.reached];
      before = behind(program, symbol);
    }
    return false;
  }
}

const behind = ({ hasWordEdges, isWord }: Program, symbol: number): Before =>
  hasWordEdges && isWord[symbol] === 1 ? WORD : OTHER;

function makeRows(of: Automaton, needed: number): void {
  if (of.leadsTo.length >= needed) return;
  const leadsTo = new Int16Array(2 * needed).fill(UNEXPLORED);
  const costs = new Uint16Array(2 * needed);
  leadsTo.set(of.leadsTo);
  costs.set(of.costs);
  of.leadsTo = leadsTo;
  of.costs = costs;
}
