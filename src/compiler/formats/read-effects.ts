import { isRemark, skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import type { Lines } from '../lines/lines.ts';
import { readRule } from './read-rule.ts';
import { createStatements, type Place, type Statements } from './rule-effects.ts';

type Heard = {
  readonly statements: Statements;
  /** Why a format without patterns cannot express the line. */
  readonly whyNot: ReadonlyMap<number, string>;
};

export function readList(lines: Lines): Heard {
  const statements = createStatements(lines.count);
  const whyNot = new Map<number, string>();
  for (let at = 0; at < lines.count; at++) {
    const why = readLine(lines, at, statements);
    if (why !== undefined) whyNot.set(at, why);
  }
  return { statements, whyNot };
}

function readLine(lines: Lines, at: number, statements: Statements): string | undefined {
  const place = trimmed(lines, at);
  return isRemark(place.bytes, place.start, place.end) ? undefined : readRule(statements, at, place);
}

/** Trims spaces around a rule. */
export function trimmed({ text: { bytes }, start, end }: Lines, at: number): Place {
  const from = skipBlanks(bytes, start[at]!, end[at]!);
  return { bytes, start: from, end: skipBlanksBack(bytes, from, end[at]!) };
}
