import { rootSchema, type SchemaNode } from './configuration.ts';
import type { Language } from './validate-text.ts';

/** Position of the cursor in a configuration: the enclosing keys, and whether a key or a value is expected. */
export type CursorContext = {
  readonly keys: readonly string[];
  readonly kind: 'key' | 'value';
  /** Start of the word at the cursor. */
  readonly from: number;
};

/** Schema node at a path of keys; arrays are skipped in favour of their items. */
export function schemaAt(keys: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = rootSchema;
  for (const key of keys) {
    const child: SchemaNode | undefined = node?.properties?.[key];
    node = child?.items ?? child;
  }
  return node;
}

/** Text is usually incomplete while it is edited, so only the part before the cursor is read. */
export const cursorContext = (text: string, at: number, language: Language): CursorContext =>
  language === 'json' ? jsonContext(text.slice(0, at)) : yamlContext(text.slice(0, at));

type Frame = { readonly kind: '{' | '['; key: string | undefined };

const jsonToken = /(?<text>"(?:[^"\\]|\\.)*")|(?<begun>"(?:[^"\\]|\\.)*$|[^\s{}[\]:,"]+$)|(?<sign>[{}[\]:,])/g;

function jsonContext(before: string): CursorContext {
  const frames: Frame[] = [];
  let expectsKey = false;
  let from = before.length;
  for (const { index, groups: { text, begun, sign } = {} } of before.matchAll(jsonToken)) {
    const top = frames.at(-1);
    if (begun !== undefined) from = index;
    else if (text !== undefined) {
      if (expectsKey && top) top.key = text.slice(1, -1);
    } else if (sign === '{' || sign === '[') {
      frames.push({ kind: sign, key: undefined });
      expectsKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      frames.pop();
      expectsKey = false;
    } else {
      expectsKey = sign === ',' && top?.kind === '{';
      if (expectsKey) top!.key = undefined;
    }
  }
  const keys = frames.map(({ key }) => key).filter((key) => key !== undefined);
  return { keys, kind: expectsKey ? 'key' : 'value', from };
}

const yamlLine = /^(\s*)((?:- +)*)(?:([\w$]+):(?: |$))?(.*)$/;

function yamlContext(before: string): CursorContext {
  const lines = before.split('\n');
  const [, spaces = '', dashes = '', key, rest = ''] = yamlLine.exec(lines.pop() ?? '') ?? [];
  const word = /[^\s[\],]*$/.exec(rest)?.[0] ?? '';
  const isItem = dashes !== '' && key === undefined;
  let level = dashes === '' ? spaces.length : spaces.length + (isItem ? 0 : dashes.length);
  const keys: string[] = key === undefined ? [] : [key];
  // YAML allows list items at the same indentation as the key of the list.
  let mayBeEqual = isItem;
  for (const line of lines.reverse()) {
    const [, spaces = '', dashes = '', key, rest = ''] = yamlLine.exec(line) ?? [];
    if (key === undefined) continue;
    const depth = spaces.length + dashes.length;
    const isAbove = depth < level || (mayBeEqual && depth === level && dashes === '');
    if (isAbove && rest.trim() === '') {
      keys.unshift(key);
      level = depth;
      mayBeEqual = false;
    }
    // First key of a list item: its parent is the key of the list.
    if (dashes !== '' && depth <= level) {
      level = spaces.length;
      mayBeEqual = true;
    }
    if (level === 0 && !mayBeEqual) break;
  }
  const holdsValues = key !== undefined || (isItem && schemaAt(keys)?.properties === undefined);
  return { keys, kind: holdsValues ? 'value' : 'key', from: before.length - word.length };
}
