import { err, ok, type Result } from '../../kit/result.ts';
import { errorAt, type RuleError } from '../rule-error.ts';
import {
  ANY_CHARACTER,
  type CharacterSet,
  characterRange,
  escapedSets,
  NO_CHARACTER,
  opposite,
  posixSets,
  unicodeSet,
} from './character-set.ts';

/** Syntax tree of a regular expression in the syntax of RE2, which can be matched in one pass. */
export type RegexTree =
  | { readonly kind: 'character'; readonly of: CharacterSet }
  | { readonly kind: 'assertion'; readonly where: 'start' | 'end' | 'word edge' | 'no word edge' }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexTree[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexTree[] }
  /** `max` is Infinity without an upper bound. */
  | { readonly kind: 'repeat'; readonly part: RegexTree; readonly min: number; readonly max: number };

const EMPTY: RegexTree = { kind: 'sequence', parts: [] };
const MAX_REPEATS = 1000;
// With 2,000 steps, the longest name takes at most some milliseconds, for any expression.
const MAX_STEPS = 2000;
const TOO_MANY_STEPS = `the expression has more than ${MAX_STEPS} steps with its repetitions expanded`;

const REPEATED_REPEAT = 'a repetition cannot follow another: put brackets around the first';
const LOOK_AROUND = 'look-ahead and look-behind are not supported: they can stall the resolver';
const BACK_REFERENCE = 'back-references are not supported: they can stall the resolver';

const assertions = {
  '^': 'start',
  $: 'end',
  '\\A': 'start',
  '\\z': 'end',
  '\\b': 'word edge',
  '\\B': 'no word edge',
} as const;
const repeats = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;
const controls: Readonly<Record<string, string>> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

export function readRegexTree(source: string): Result<RegexTree, RuleError> {
  let at = 0;
  let fault: RuleError | undefined;

  const tree = readChoice();
  if (at < source.length) refuse('unmatched ")": write a literal bracket as \\)', at, 1);
  if (!fault && stepCount(tree) > MAX_STEPS) refuse(TOO_MANY_STEPS, 0, source.length);
  return fault ? err(fault) : ok(tree);

  /** Reports only the first error and skips the rest of the expression. */
  function refuse(reason: string, start: number, length: number): RegexTree {
    fault ??= errorAt(reason, start, Math.min(length, source.length - start));
    at = source.length;
    return EMPTY;
  }

  /** Matches a sticky expression at the current position and advances. */
  function take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = at;
    const found = what.exec(source) ?? undefined;
    if (found) at += found[0].length;
    return found;
  }

  function readChoice(): RegexTree {
    const branches = [readSequence()];
    while (take(/\|/y)) branches.push(readSequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  function readSequence(): RegexTree {
    const parts: RegexTree[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(readRepeat());
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  function readRepeat(): RegexTree {
    const start = at;
    if (isRepeat()) return refuse(`"${source[at]}" has nothing to repeat`, at, 1);
    const part = readPart();
    const operator = at;
    if (!isRepeat()) return part;
    if (/^\(\?[imsU-]*\)$/.test(source.slice(start, at))) return refuse('flags cannot be repeated', start, at - start);
    const [min, max] = readBounds();
    if (isRepeat()) return refuse(REPEATED_REPEAT, start, at + 1 - start);
    if (min > MAX_REPEATS || (max > MAX_REPEATS && max !== Infinity)) {
      return refuse(`at most ${MAX_REPEATS} repetitions are allowed`, operator, at - operator);
    }
    if (max < min) return refuse('the minimum of the repetition is larger than the maximum', operator, at - operator);
    const tree: RegexTree = { kind: 'repeat', part, min, max };
    return stepCount(tree) > MAX_STEPS ? refuse(TOO_MANY_STEPS, start, at - start) : tree;
  }

  function isRepeat(): boolean {
    const counted = /\{(?:0|[1-9]\d*)(?:,(?:0|[1-9]\d*)?)?\}/y;
    counted.lastIndex = at;
    return /[*+?]/.test(source[at] ?? '') || counted.test(source);
  }

  function readBounds(): readonly [min: number, max: number] {
    const found = take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)!;
    const [, operator, min = '', comma, max = ''] = found;
    if (operator !== undefined) return repeats[operator as keyof typeof repeats];
    return [Number(min), comma === '' ? Number(min) : max === '' ? Infinity : Math.min(Number(max), Number.MAX_VALUE)];
  }

  function readPart(): RegexTree {
    const assertion = take(/[$^]|\\[AzbB]/y);
    if (assertion) return { kind: 'assertion', where: assertions[assertion[0] as keyof typeof assertions] };
    if (take(/\./y)) return { kind: 'character', of: ANY_CHARACTER };
    if (source[at] === '(') return readGroup();
    if (source[at] === '[') return readSet();
    if (source[at] === '\\') return { kind: 'character', of: readEscape() };
    const code = readCodePoint();
    return { kind: 'character', of: characterRange(code, code) };
  }

  function readGroup(): RegexTree {
    const start = at;
    if (take(/\(\?<?[=!]/y)) return refuse(LOOK_AROUND, start, at - start);
    // Flags have no effect: names are case-insensitive and a single line.
    if (take(/\(\?[imsU]*(?:-[imsU]+)?\)/y)) return EMPTY;
    if (!take(/\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:))?(?!\?)/y)) {
      return refuse('unknown group: write (…), (?:…), (?<name>…) or (?i)', start, 2);
    }
    const tree = readChoice();
    if (!take(/\)/y)) return refuse('missing ")": write a literal bracket as \\(', start, 1);
    return tree;
  }

  function readSet(): RegexTree {
    const start = at;
    const negated = take(/\[(\^?)/y)![1] === '^';
    let set = NO_CHARACTER;
    for (let first = true; first || source[at] !== ']'; first = false) {
      if (at >= source.length) return refuse('missing "]": write a literal bracket as \\[', start, 1);
      set |= readSetMember();
    }
    at += 1;
    return { kind: 'character', of: negated ? opposite(set) : set };
  }

  function readSetMember(): CharacterSet {
    const start = at;
    const posix = take(/\[:(\^?)(\w+):\]/y);
    if (posix) {
      const set = posixSets.get(posix[2]!);
      if (set === undefined) return refuseSet(`unknown character class "${posix[2]}"`, start, posix[0].length);
      return posix[1] === '^' ? opposite(set) : set;
    }
    if (/^\\[dwsDWSpP]/.test(source.slice(at, at + 2))) return readEscape();
    const low = readCodePoint();
    if (!take(/-(?!\]|$)/y)) return characterRange(low, low);
    const high = readCodePoint();
    if (high < low) refuse(`the range "${source.slice(start, at)}" is reversed`, start, at - start);
    return characterRange(low, high);
  }

  function readCodePoint(): number {
    if (source[at] !== '\\') return take(/./suy)?.[0].codePointAt(0) ?? 0;
    const start = at;
    const octal = take(/\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/y);
    if (octal) return Number.parseInt(octal[1]!, 8);
    const hexadecimal = take(/\\x(?:([0-9a-f]{2})|\{([0-9a-f]+)\})/iy);
    if (hexadecimal) return Number.parseInt((hexadecimal[1] ?? hexadecimal[2])!, 16);
    const control = take(/\\([afnrtv])/y);
    if (control) return controls[control[1]!]!.charCodeAt(0);
    const mark = take(/\\([!-/:-@[-`{-~ ])/y);
    if (mark) return mark[1]!.charCodeAt(0);
    if (take(/\\(?:[1-9]|k)/y)) refuse(BACK_REFERENCE, start, at - start);
    else refuse(`unknown escape "${source.slice(at, at + 2)}": write a literal backslash as \\\\`, start, 2);
    return 0;
  }

  function readEscape(): CharacterSet {
    const start = at;
    const perl = take(/\\([dwsDWS])/y);
    if (perl) return escapedSets.get(perl[1]!)!;
    const property = take(/\\(p|P)(?:\{(\^?)(\w+)\}|([A-Z]))/y);
    if (property) {
      const set = unicodeSet((property[3] ?? property[4])!);
      if (set === undefined) return refuseSet('unknown Unicode property', start, property[0].length);
      return (property[1] === 'P') !== (property[2] === '^') ? opposite(set) : set;
    }
    const code = readCodePoint();
    return characterRange(code, code);
  }

  function refuseSet(reason: string, start: number, length: number): CharacterSet {
    refuse(reason, start, length);
    return NO_CHARACTER;
  }
}

/** Program steps of an expression: counted repetitions are unrolled, and an empty repetition costs a step too. */
export function stepCount(tree: RegexTree): number {
  switch (tree.kind) {
    case 'character':
    case 'assertion':
      return 1;
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + stepCount(part), 0);
    case 'choice':
      return tree.branches.reduce((sum, branch) => sum + stepCount(branch) + 1, -1);
    case 'repeat': {
      const once = Math.max(stepCount(tree.part), 1);
      const optional = tree.max === Infinity ? 1 : tree.max - tree.min;
      return tree.min * once + optional * (once + 1);
    }
  }
}
