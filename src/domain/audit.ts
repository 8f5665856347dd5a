import { isObject } from '../kit/is-object.ts';
import type { AccountId } from './ids.ts';

/** One change: author, time, resource, and the values before and after, without secrets. */
export type AuditEntry = {
  readonly id: string;
  readonly account: AccountId;
  readonly at: number;
  /** An e-mail address, `key NAME` or `operator`. */
  readonly by: string;
  readonly from: string | undefined;
  /** For example `device.create`. */
  readonly action: string;
  readonly subject: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
};

export type Change = { readonly before: unknown; readonly after: unknown };

const MAX_ITEMS = 100;
const SECRET = '(secret)';
// A pattern instead of a fixed list of names, so that secrets added later are hidden, too.
const isSecretName = (key: string): boolean => /password|secret|token|hash/i.test(key);

/** The differences; for long arrays, only added and removed items. Changed secrets are marked without their values. */
export function changed(before: unknown, after: unknown): Change {
  if (isSame(before, after)) return { before: undefined, after: undefined };
  if (isObject(before) && isObject(after)) return changedMembers(before, after);
  if (Array.isArray(before) && Array.isArray(after)) return changedItems(before, after);
  return { before: withoutSecrets(before), after: withoutSecrets(after) };
}

/** Whether a comparison found no difference; false for changes that were not compared. */
export const isUnchanged = (change: Partial<Change>): boolean =>
  'before' in change && 'after' in change && change.before === undefined && change.after === undefined;

type Members = Readonly<Record<string, unknown>>;

function changedMembers(before: Members, after: Members): Change {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isSame(before[key], after[key]),
  );
  const changes = keys.map((key) => [key, changedMember(key, before[key], after[key])] as const);
  const side = (name: keyof Change): Members =>
    Object.fromEntries(
      changes.map(([key, change]) => [key, change[name]] as const).filter(([, value]) => value !== undefined),
    );
  return { before: side('before'), after: side('after') };
}

const changedMember = (key: string, before: unknown, after: unknown): Change =>
  isSecretName(key) ? { before: hidden(before), after: hidden(after) } : changed(before, after);

const hidden = (value: unknown): unknown => (value === undefined ? undefined : SECRET);

function changedItems(before: readonly unknown[], after: readonly unknown[]): Change {
  const first = before.findIndex((item, index) => !isSame(item, after[index]));
  // Most changes of a long list are at one position: skip the common prefix.
  const [left, right] = first < 0 ? [[], after.slice(before.length)] : [before.slice(first), after.slice(first)];
  const gone = without(left, right);
  const come = without(right, left);
  if (gone.length + come.length === 0) return { before: 'in another order', after: 'in another order' };
  return { before: atMost(gone), after: atMost(come) };
}

function without(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const counts = new Map<string, number>();
  for (const text of others.map(textOf)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return items.filter((item) => {
    const text = textOf(item);
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

const atMost = (items: readonly unknown[]): unknown[] =>
  items.length <= MAX_ITEMS
    ? items.map(withoutSecrets)
    : [...items.slice(0, MAX_ITEMS).map(withoutSecrets), `and ${items.length - MAX_ITEMS} more`];

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return atMost(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isSecretName(key) ? hidden(member) : withoutSecrets(member)]),
  );
}

// The NUL prefix distinguishes the number 1 from the text '1'.
const textOf = (value: unknown): string => (typeof value === 'string' ? value : `\0${JSON.stringify(value)}`);

/** Treats absent and undefined as equal. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSame(one[key], other[key]));
}
