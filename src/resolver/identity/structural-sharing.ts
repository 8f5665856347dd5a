type Members = Readonly<Record<string, unknown>>;

/**
 * Returns `next` with every part that equals the old one replaced by the old object, so that caches keyed by identity
 * stay valid. For plain data.
 */
export function keepEqual<T>(old: unknown, next: T): T {
  if (Object.is(old, next)) return next;
  if (Array.isArray(old) && Array.isArray(next)) return keepEqualItems(old, next) as T;
  if (isMembers(old) && isMembers(next)) return keepEqualMembers(old, next) as T;
  return next;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keepEqualItems(old: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const kept = next.map((item, index) => keepEqual(old[index], item));
  return kept.length === old.length && kept.every((item, index) => Object.is(item, old[index])) ? old : kept;
}

function keepEqualMembers(old: Members, next: Members): Members {
  const kept = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, keepEqual(old[name], value)]));
  const names = Object.keys(kept);
  const isSame =
    names.length === Object.keys(old).length &&
    names.every((name) => Object.hasOwn(old, name) && Object.is(kept[name], old[name]));
  return isSame ? old : kept;
}
