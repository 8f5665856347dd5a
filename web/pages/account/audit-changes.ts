/** Keys from the outside in; empty if the compared values are not objects. */
export type ShownChange = { readonly path: readonly string[]; readonly before?: string; readonly after?: string };

/** Writes values as people read them; `key` is the innermost key. */
export type ValueText = (key: string, value: string | number | boolean) => string;

type ObjectValue = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ObjectValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// The account is the one of the page, and the id is that of the entry.
const HIDDEN: ReadonlySet<string> = new Set(['account', 'id']);

/** One entry per value that differs. */
export function changesOf(
  before: unknown,
  after: unknown,
  write: ValueText,
  path: readonly string[] = [],
): readonly ShownChange[] {
  if (!isObject(before) && !isObject(after)) return valueChange(before, after, write, path);
  const sides = [before, after].map((side) => (isObject(side) ? side : {}));
  const keys = [...new Set(sides.flatMap((side) => Object.keys(side)))].filter((key) => !HIDDEN.has(key));
  return keys.flatMap((key) => changesOf(sides[0]![key], sides[1]![key], write, [...path, key]));
}

function valueChange(
  before: unknown,
  after: unknown,
  write: ValueText,
  path: readonly string[],
): readonly ShownChange[] {
  if (before === undefined && after === undefined) return [];
  const key = path.at(-1) ?? '';
  return [
    {
      path,
      ...(before !== undefined && { before: textOf(key, before, write) }),
      ...(after !== undefined && { after: textOf(key, after, write) }),
    },
  ];
}

/** Members of lists have their own lines. */
function textOf(key: string, value: unknown, write: ValueText): string {
  if (Array.isArray(value)) return value.map((member) => textOf(key, member, write)).join('\n');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return write(key, value);
  if (!isObject(value)) return '';
  // A list, service or category that is switched on or off.
  if (typeof value['id'] === 'string' && typeof value['enabled'] === 'boolean')
    return `${write('id', value['id'])}: ${write('enabled', value['enabled'])}`;
  return Object.entries(value)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, member]) => textOf(name, member, write))
    .join(' · ');
}
