import { err, ok, type Result } from '../kit/result.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

/** One of the values separated by `|`, without `~`, quotes and escaping backslashes. */
export type Item = {
  readonly text: string;
  readonly negated: boolean;
  /** Offset in the whole value, as written. */
  readonly start: number;
  readonly end: number;
};

const item = /(~?)(?:(['"])((?:(?!\2)[^\\]|\\.)*)\2|((?:[^|\\]|\\.|\\$)*))(\||$)/sy;

/** Splits `A|~B|'a name'`. A `|` in quotes or after a backslash does not separate. */
export function listItems(value: string): Result<readonly Item[], RuleError> {
  const items: Item[] = [];
  for (let at = 0; ; at = items.at(-1)!.end + 1) {
    item.lastIndex = at;
    const [matched, mark = '', , quoted, bare = '', separator = ''] = item.exec(value)!;
    const start = at + mark.length;
    const end = at + matched.length - separator.length;
    if (/^['"]/.test(bare)) {
      return err(errorAt(`the closing ${bare[0]} is missing; write a comma in the name as \\,`, start, end - start));
    }
    const text = unescaped(quoted ?? bare);
    if (text === '') return err(errorAt('a value is missing', at, end - at));
    items.push({ text, negated: mark === '~', start, end });
    if (separator === '') return ok(items);
  }
}

/** A backslash escapes a special character; before any other character it is literal. */
export const unescaped = (text: string): string => text.replace(/\\([,|$'"\\])/g, '$1');

export const itemError = (reason: string, { start, end }: Item): RuleError => errorAt(reason, start, end - start);

/** The value of each item, or the first error. */
export function readItems<T>(
  items: readonly Item[],
  read: (text: string) => Result<T, RuleError | string>,
): Result<readonly T[], RuleError> {
  const values: T[] = [];
  for (const one of items) {
    const value = read(one.text);
    if (!value.ok) return err(typeof value.error === 'string' ? itemError(value.error, one) : within(value.error, one));
    values.push(value.value);
  }
  return ok(values);
}

/** After backslashes, columns no longer correspond, so the whole item is reported. */
function within(fault: RuleError, one: Item): RuleError {
  const isVerbatim = one.end - one.start === one.text.length;
  return isVerbatim ? shiftError(fault, one.start) : itemError(fault.reason, one);
}
