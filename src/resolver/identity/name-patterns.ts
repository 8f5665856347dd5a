type Entry<Value> = { readonly pattern: string; readonly literals: number; readonly value: Value };

/** Values by host-name pattern, in which `*` matches any run of characters. */
export function namePatterns<Value>() {
  let entries: readonly Entry<Value>[] = [];
  // Caches the matches of a host's names until a pattern changes.
  let found = new WeakMap<readonly string[], readonly Value[]>();

  const replace = (next: readonly Entry<Value>[]): void => {
    entries = next;
    found = new WeakMap();
  };

  return {
    set(pattern: string, value: Value): void {
      const entry = { pattern, literals: pattern.replaceAll('*', '').length, value };
      replace([...entries, entry].sort((a, b) => b.literals - a.literals || (a.pattern < b.pattern ? -1 : 1)));
    },
    delete: (pattern: string, value: Value): void =>
      replace(entries.filter((entry) => entry.pattern !== pattern || entry.value !== value)),
    /** Values of all patterns that match one of the names; the pattern with the most literal characters comes first. */
    find(names: readonly string[]): readonly Value[] {
      const cached = found.get(names);
      if (cached) return cached;
      const matching = entries.filter(({ pattern }) => names.some((name) => matches(pattern, name)));
      const values = matching.map(({ value }) => value);
      found.set(names, values);
      return values;
    },
  };
}

/** Backtracks to the last `*` only, so the time is at most the product of both lengths. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let i = 0; i < name.length; ) {
    if (pattern[at] === '*') {
      star = at++;
      resumeAt = i;
    } else if (pattern[at] === name[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resumeAt;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
