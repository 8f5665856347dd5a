type Toggleable = { readonly enabled: boolean };

/** Toggles an entry. Saved entries are disabled in place; entries that are not saved yet are removed. */
export function toggleEntry<T extends Toggleable>(
  selected: readonly T[],
  saved: readonly T[],
  entry: T,
  isSame: (one: T, other: T) => boolean,
): T[] {
  const isIn = (list: readonly T[]): boolean => list.some((other) => isSame(other, entry));
  if (!isIn(selected)) return [...selected, entry];
  if (!entry.enabled && !isIn(saved)) return selected.filter((other) => !isSame(other, entry));
  return selected.map((other) => (isSame(other, entry) ? entry : other));
}
