export type ShownChange = { readonly path: string; readonly before?: string; readonly after?: string };

type ObjectValue = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ObjectValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One entry per value that differs; the path is empty if the compared values are not objects. */
export function changesOf(before: unknown, after: unknown, path = ''): readonly ShownChange[] {
  if (!isObject(before) && !isObject(after)) return valueChange(before, after, path);
  const sides = [before, after].map((side) => (isObject(side) ? side : {}));
  const keys = [...new Set(sides.flatMap((side) => Object.keys(side)))];
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  return keys.flatMap((key) => changesOf(sides[0]![key], sides[1]![key], below(key)));
}

function valueChange(before: unknown, after: unknown, path: string): readonly ShownChange[] {
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
