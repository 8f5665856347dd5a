type Members = Readonly<Record<string, unknown>>;

/**
 * Returns `next` with every part that equals the old one replaced by the old object, so that caches keyed by identity
 * stay valid. For plain data.
 */
export function shareEqual<T>(old: unknown, next: T): T {
  if (Object.is(old, next)) return next;
  if (Array.isArray(old) && Array.isArray(next)) return shareEqualItems(old, next) as T;
  if (isMembers(old) && isMembers(next)) return shareEqualMembers(old, next) as T;
  return next;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shareEqualItems(old: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shared = next.map((item, index) => shareEqual(old[index], item));
  return shared.length === old.length && shared.every((item, index) => Object.is(item, old[index])) ? old : shared;
}

function shareEqualMembers(old: Members, next: Members): Members {
  const shared = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, shareEqual(old[name], value)]));
  const names = Object.keys(shared);
  const isSame =
    names.length === Object.keys(old).length &&
    names.every((name) => Object.hasOwn(old, name) && Object.is(shared[name], old[name]));
  return isSame ? old : shared;
}
