export type Difference = { readonly added: readonly string[]; readonly removed: readonly string[] };

/** Comments in all output formats, and the SOA record of RPZ, which contains the time. */
const isRemark = (line: string): boolean => /^\s*(?:!|#(?: |$|###)|;|@ |$)/.test(line);

export const isRule = (line: string): boolean => !isRemark(line);

/** Rules that only one of two lists contains, regardless of their order. */
export function diffLists(before: readonly string[], after: readonly string[]): Difference {
  const old = new Set(before.filter(isRule));
  const current = new Set(after.filter(isRule));
  return { added: without(current, old), removed: without(old, current) };
}

const without = (rules: ReadonlySet<string>, excluded: ReadonlySet<string>): string[] =>
  [...rules].filter((rule) => !excluded.has(rule));
