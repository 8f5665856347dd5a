import type { Pattern, Rule } from './rule.ts';

/** Equal for equivalent rules, regardless of spelling and `$badfilter`. */
export function ruleKey(rule: Rule): string {
  const { allow, important, pattern, types, rewrite, clients, tags, denyallow, locations } = rule;
  return JSON.stringify([
    allow,
    important,
    patternParts(pattern),
    types && [types.negated, unordered(types.types)],
    rewrite && flat(rewrite),
    clients && [unordered(clients.only), unordered(clients.except)],
    tags && [unordered(tags.only), unordered(tags.except)],
    denyallow && unordered(denyallow),
    locations && [unordered(locations.only), unordered(locations.except)],
  ]);
}

function patternParts(pattern: Pattern): readonly unknown[] {
  switch (pattern.kind) {
    case 'wildcard':
      return [pattern.kind, pattern.start, pattern.pieces, pattern.end];
    case 'expression':
      return [pattern.kind, pattern.source];
    default:
      return [pattern.kind, pattern.name];
  }
}

const unordered = (members: Iterable<unknown>): readonly string[] =>
  [...new Set(Array.from(members, (member) => JSON.stringify(flat(member))))].sort();

/** Members of objects sorted by name, bytes as numbers. */
function flat(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, flat(member)]);
}
