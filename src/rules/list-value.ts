import { err, ok, type Result } from '../kit/result.ts';
import { faultAt, type RuleFault, shiftFault } from './rule-error.ts';

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
export function listItems(value: string): Result<readonly Item[], RuleFault> {
  const items: Item[] = [];
  for (let at = 0; ; at = items.at(-1)!.end + 1) {
    item.lastIndex = at;
    const [whole, mark = '', , quoted, bare = '', separator = ''] = item.exec(value)!;
    const start = at + mark.length;
    const end = at + whole.length - separator.length;
    if (/^['"]/.test(bare)) {
      return err(faultAt(`no ${bare[0]} ends the name; a comma in it is written \\,`, start, end - start));
    }
    const text = unescaped(quoted ?? bare);
    if (text === '') return err(faultAt('a value is missing', at, end - at));
    items.push({ text, negated: mark === '~', start, end });
    if (separator === '') return ok(items);
  }
}

/** A backslash takes the meaning from a mark. Before anything else it is a backslash. */
export const unescaped = (text: string): string => text.replace(/\\([,|$'"\\])/g, '$1');

export const itemFault = (reason: string, { start, end }: Item): RuleFault => faultAt(reason, start, end - start);

/** The value of each item, or the first fault among them. */
export function readItems<T>(
  items: readonly Item[],
  read: (text: string) => Result<T, RuleFault | string>,
): Result<readonly T[], RuleFault> {
  const values: T[] = [];
  for (const one of items) {
    const value = read(one.text);
    if (!value.ok) return err(typeof value.error === 'string' ? itemFault(value.error, one) : within(value.error, one));
    values.push(value.value);
  }
  return ok(values);
}

/** Behind backslashes columns no longer agree: then the whole item is at fault. */
function within(fault: RuleFault, one: Item): RuleFault {
  const isVerbatim = one.end - one.start === one.text.length;
  return isVerbatim ? shiftFault(fault, one.start) : itemFault(fault.reason, one);
}
