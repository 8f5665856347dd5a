export type ShownChange = { readonly path: string; readonly before?: string; readonly after?: string };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs, a line for each value that does; the path is empty where the whole is one value. */
export function changesOf(before: unknown, after: unknown, path = ''): readonly ShownChange[] {
  if (!isMembers(before) && !isMembers(after)) return plainChange(before, after, path);
  const sides = [before, after].map((side) => (isMembers(side) ? side : {}));
  const keys = [...new Set(sides.flatMap((side) => Object.keys(side)))];
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  return keys.flatMap((key) => changesOf(sides[0]![key], sides[1]![key], below(key)));
}

function plainChange(before: unknown, after: unknown, path: string): readonly ShownChange[] {
  if (before === undefined && after === undefined) return [];
  return [
    {
      path,
      ...(before !== undefined && { before: textOf(before) }),
      ...(after !== undefined && { after: textOf(after) }),
    },
  ];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join('\n') : JSON.stringify(value);
}
