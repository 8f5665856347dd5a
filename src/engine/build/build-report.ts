import type { RuleError } from '../../rules/rule-error.ts';

/** Counts of the lines of a list. */
export type BuildReport = {
  /** Rules in the table. */
  rules: number;
  /** Duplicates of an earlier rule. */
  repeated: number;
  comments: number;
  disabledByBadfilter: number;
  /** Rules with a modifier that a DNS filter does not support, by modifier. */
  readonly ignored: Record<string, number>;
  readonly invalid: { count: number; readonly first: InvalidLine[] };
};

type InvalidLine = { readonly line: number; readonly text: string; readonly fault: RuleError };

const SHOWN = 100;
const SHOWN_MODIFIERS = 100;
const SHOWN_TEXT = 1000;

export const createReport = (): BuildReport => ({
  rules: 0,
  repeated: 0,
  comments: 0,
  disabledByBadfilter: 0,
  ignored: {},
  invalid: { count: 0, first: [] },
});

export function countInvalid({ invalid }: BuildReport, line: number, text: string, fault: RuleError): void {
  invalid.count += 1;
  if (invalid.first.length < SHOWN) invalid.first.push({ line, text: text.slice(0, SHOWN_TEXT), fault });
}

/** A list may contain any number of unknown modifiers; beyond a limit they are counted together. */
export function countIgnored({ ignored }: BuildReport, modifier: string): void {
  const isKept = Object.hasOwn(ignored, modifier) || Object.keys(ignored).length < SHOWN_MODIFIERS;
  const name = isKept ? modifier.slice(0, SHOWN_TEXT) : 'others';
  ignored[name] = (ignored[name] ?? 0) + 1;
}
