type Switched = { readonly enabled: boolean };

/** A choice with one entry switched. What was chosen before stays in its place, switched off; what is new goes again. */
export function withSwitched<T extends Switched>(
  chosen: readonly T[],
  before: readonly T[],
  entry: T,
  isSame: (one: T, other: T) => boolean,
): T[] {
  const isIn = (list: readonly T[]): boolean => list.some((other) => isSame(other, entry));
  if (!isIn(chosen)) return [...chosen, entry];
  if (!entry.enabled && !isIn(before)) return chosen.filter((other) => !isSame(other, entry));
  return chosen.map((other) => (isSame(other, entry) ? entry : other));
}
