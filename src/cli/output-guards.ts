import { readFile } from 'node:fs/promises';
import type { CompileOptions } from './compile-command.ts';
import { count, plural } from './number-text.ts';

export type Guards = {
  readonly failIfEmpty: boolean;
  readonly maxRules: number | undefined;
  /** Share of the earlier rules that may be missing, from 0 to 1. */
  readonly maxShrink: number | undefined;
};

/** Reads the flags that protect the output file. */
export const guardsOf = ({ failIfEmpty, maxRules, maxShrink }: CompileOptions): Guards => ({
  failIfEmpty,
  maxRules: maxRules === undefined ? undefined : wholeNumber('--max-rules', maxRules),
  maxShrink: maxShrink === undefined ? undefined : share(maxShrink),
});

export function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag}: "${text}" must be a whole number`);
  return Number(text);
}

function share(text: string): number {
  const percent = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) > 100)
    throw new Error(`--max-shrink: "${text}" must be a percentage from 0 to 100, such as 30%`);
  return Number(percent) / 100;
}

/** Reason not to write the list; undefined if it may be written. `before`: number of rules in the existing file. */
export function whyNotWritten(rules: number, before: number | undefined, guards: Guards): string | undefined {
  if (guards.failIfEmpty && rules === 0) return 'the list has no rules (--fail-if-empty)';
  if (guards.maxRules !== undefined && rules > guards.maxRules)
    return `the list has ${plural(rules, 'rule')} (--max-rules ${guards.maxRules})`;
  if (guards.maxShrink === undefined || before === undefined || rules >= before * (1 - guards.maxShrink))
    return undefined;
  return `the list has ${plural(rules, 'rule')}, the file has ${count(before)} (--max-shrink ${guards.maxShrink * 100}%)`;
}

/** Number of rules in a written file; undefined if it cannot be read. */
export async function rulesInFile(path: string): Promise<number | undefined> {
  if (path === '-') return undefined;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && rulesIn(bytes);
}

const LF = 0x0a;
const HASH = 0x23;
const BANG = 0x21;
const SEMICOLON = 0x3b;

/** Lines that are neither blank nor a comment, in every format. */
export function rulesIn(list: Uint8Array): number {
  let rules = 0;
  for (let start = 0; start < list.length; ) {
    const lineBreak = list.indexOf(LF, start);
    const end = lineBreak === -1 ? list.length : lineBreak;
    if (isRule(list, start, end)) rules++;
    start = end + 1;
  }
  return rules;
}

function isRule(list: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && list[at]! <= 0x20) at++;
  if (at === end || list[at] === BANG || list[at] === SEMICOLON) return false;
  return list[at] !== HASH || (at + 1 < end && list[at + 1]! > 0x20);
}
