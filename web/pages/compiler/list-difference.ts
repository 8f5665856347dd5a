export type Difference = { readonly added: readonly string[]; readonly removed: readonly string[] };

/** Comments in the syntaxes of all formats, and what only says when a zone was written. */
const isRemark = (line: string): boolean => /^\s*(?:!|#(?: |$|###)|;|@ |$)/.test(line);

export const isRule = (line: string): boolean => !isRemark(line);

/** Which rules one list has and another has not, wherever they stand. */
export function differenceOf(before: readonly string[], after: readonly string[]): Difference {
  const old = new Set(before.filter(isRule));
  const current = new Set(after.filter(isRule));
  return { added: without(current, old), removed: without(old, current) };
}

const without = (these: ReadonlySet<string>, those: ReadonlySet<string>): string[] =>
  [...these].filter((rule) => !those.has(rule));
