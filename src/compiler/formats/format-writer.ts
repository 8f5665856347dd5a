import type { Text } from '../lines/text.ts';
import { closeGaps } from './fill-wildcard-gaps.ts';
import type { Dialect, WhyNot } from './format.ts';
import type { Names } from './name-conditions.ts';
import { inherit, settle } from './resolve-precedence.ts';
import { BELOW, isSameVerdict, SELF, type Statements, type Verdict } from './rule-effects.ts';
import { type Phrase, toPhrase, writeLine, writePhrase } from './write-lines.ts';

/** Writes the rule effects of a list in a format, each name once. */
type Speaker = {
  /** Writes the effects of a line, or returns why it cannot. Called in line order. */
  readonly sayLine: (line: number) => string | undefined;
  /** Writes the remaining records that the format needs but no line of the list produces. */
  readonly sayRest: () => void;
};

export function createSpeaker(statements: Statements, dialect: Dialect, file: Text): Speaker {
  const { names } = statements;
  const idle = decide(names, dialect);
  const done = new Uint8Array(names.count);
  const sayings = sayingsOf(dialect);
  let next = 0;

  const sayName = (name: number, force: number): string | undefined => {
    const { bytes } = names.text;
    const start = names.start[name]!;
    const end = names.end[name]!;
    const isFirst = done[name] === 0;
    done[name] = 1;
    const why = dialect.whyNoName?.(bytes, start, end);
    if (why !== undefined) return why;
    const saying = sayings[code(names.self[name]!) * CODES + code(names.below[name]!)]!;
    if (!isSaying(saying)) return force % 2 === 1 ? saying.block : saying.allow;
    if (isFirst) for (const phrase of saying) writePhrase(file, phrase, bytes, start, end);
    return undefined;
  };

  const sayNext = (): string | undefined => {
    const at = next++;
    const name = statements.name[at]!;
    if (idle[name] === 1 || !stands(statements, at)) return undefined;
    return sayName(name, statements.force[at]!);
  };

  return {
    sayLine(line) {
      let why: string | undefined;
      while (next < statements.count && statements.line[next] === line) {
        const wrong = sayNext();
        why ??= wrong;
      }
      return why;
    },
    sayRest() {
      if (dialect.reach !== 'wildcard') return;
      const left: number[] = [];
      for (let name = 0; name < names.count; name++) if (idle[name] !== 1 && done[name] === 0) left.push(name);
      if (left.length > 0)
        writeLine(file, `${dialect.comment} Names between those above, past which no wildcard reaches`);
      for (const name of left) sayName(name, 0);
    },
  };
}

/** Resolves precedence for all names; returns the redundant ones. */
function decide(names: Names, { reach }: Dialect): Uint8Array {
  const above = settle(names);
  if (reach !== 'name') inherit(names, above);
  return reach === 'wildcard' ? closeGaps(names, above) : new Uint8Array(names.count);
}

/** Whether an effect still applies anywhere in its scope after rules of higher priority. */
function stands({ names, name, force, reach }: Statements, at: number): boolean {
  const of = name[at]!;
  if (reach[at]! & SELF && isSameVerdict(force[at]!, names.self[of]!)) return true;
  return (reach[at]! & BELOW) !== 0 && isSameVerdict(force[at]!, names.below[of]!);
}

type Saying = readonly Phrase[] | WhyNot;

const isSaying = (saying: Saying): saying is readonly Phrase[] => Array.isArray(saying);

const verdicts: readonly Verdict[] = ['none', 'block', 'allow'];
const CODES = verdicts.length;

/** Index of the verdict of a priority. */
const code = (force: number): number => (force === 0 ? 0 : 2 - (force % 2));

/** Templates for each pair of verdicts, prepared once. */
const sayingsOf = (dialect: Dialect): readonly Saying[] =>
  verdicts.flatMap((self) =>
    verdicts.map((below): Saying => {
      const said = dialect.say(self, below);
      return 'block' in said ? said : said.map(toPhrase);
    }),
  );
