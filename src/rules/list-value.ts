import { err, ok, type Result } from '../kit/result.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

/** One of the values that `|` parts: without `~`, quotes and the backslashes before marks. */
export type Item = {
  readonly text: string;
  readonly negated: boolean;
  /** Where it stands in the whole value, as written. */
  readonly start: number;
  readonly end: number;
};

const item = /(~?)(?:(['"])((?:(?!\2)[^\\]|\\.)*)\2|((?:[^|\\]|\\.|\\$)*))(\||$)/sy;

/** `A|~B|'a name'` one by one. Within quotes, and behind a backslash, a `|` parts nothing. */
export function listItems(value: string): Result<readonly Item[], RuleError> {
  const items: Item[] = [];
  for (let at = 0; ; at = items.at(-1)!.end + 1) {
    item.lastIndex = at;
    const [whole, mark = '', , quoted, bare = '', separator = ''] = item.exec(value)!;
    const start = at + mark.length;
    const end = at + whole.length - separator.length;
    if (/^['"]/.test(bare)) {
      return err(errorAt(`no ${bare[0]} ends the name; a comma in it is written \\,`, start, end - start));
    }
    const text = unescaped(quoted ?? bare);
    if (text === '') return err(errorAt('a value is missing', at, end - at));
    items.push({ text, negated: mark === '~', start, end });
    if (separator === '') return ok(items);
  }
}

/** A backslash takes the meaning from a mark. Before anything else it is a backslash. */
export const unescaped = (text: string): string => text.replace(/\\([,|$'"\\])/g, '$1');

export const itemError = (reason: string, { start, end }: Item): RuleError => errorAt(reason, start, end - start);

/** The value of each item, or the first fault among them. */
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

/** Behind backslashes columns no longer agree: then the whole item is at fault. */
function within(fault: RuleError, one: Item): RuleError {
  const isVerbatim = one.end - one.start === one.text.length;
  return isVerbatim ? shiftError(fault, one.start) : itemError(fault.reason, one);
}
