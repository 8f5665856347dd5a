import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { type Configuration, rootSchema, type SchemaNode } from './configuration.ts';

export type Language = 'yaml' | 'json';

/** Error in a text with its position; `what` is a translation key. */
export type TextError = {
  readonly from: number;
  readonly to: number;
  readonly what: 'syntax' | 'unknown' | 'missing' | 'notText' | 'notList' | 'notMembers' | 'notOne' | 'empty';
  readonly detail: string;
};

export type Validation = {
  /** Set as soon as the structure is valid, even if some values are still empty. */
  readonly configuration: Configuration | undefined;
  readonly errors: readonly TextError[];
};

/** Parses a configuration and reports everything that violates the schema. JSON is parsed as YAML to get positions. */
export function validateText(text: string, language: Language): Validation {
  const document = parseDocument(text, { prettyErrors: false });
  const syntax: TextError[] = document.errors.map(({ pos: [from, to], message }) => ({
    from,
    to: Math.max(to, from + 1),
    what: 'syntax',
    detail: message,
  }));
  if (syntax.length === 0 && language === 'json') syntax.push(...jsonErrors(text));
  if (syntax.length > 0) return { configuration: undefined, errors: syntax.map((error) => within(error, text)) };
  const errors = errorsAt(document.contents, rootSchema, { from: 0, to: text.length }, document);
  const isWellFormed = errors.every(({ what }) => what === 'empty');
  const read = isWellFormed ? toValue(document) : undefined;
  return {
    configuration: read as Configuration | undefined,
    errors: [...errors, ...(isWellFormed && read === undefined ? [tooMany] : [])].map((error) => within(error, text)),
  };
}

const tooMany: TextError = { from: 0, to: 1, what: 'syntax', detail: 'too many aliases' };

/** Undefined if aliases expand beyond the parser's limit. */
function toValue(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Range of a path like `sources[0].transformations[1]`, or of its longest existing prefix. */
export function rangeAtPath(text: string, path: string): { readonly from: number; readonly to: number } {
  let node = parseDocument(text).contents as Node | null;
  let range = rangeOf(node, { from: 0, to: text.length });
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!pair) break;
      node = pair.value as Node | null;
      range = rangeOf(pair.key as Node, range);
    } else if (isSeq(node)) {
      node = node.items[Number(step)] as Node | null;
      range = rangeOf(node, range);
    } else break;
  }
  return range;
}

type Range = { readonly from: number; readonly to: number };

const rangeOf = (node: Node | null | undefined, fallback: Range): Range =>
  node?.range ? { from: node.range[0], to: node.range[1] } : fallback;

const within = (error: TextError, { length }: string): TextError => ({
  ...error,
  from: Math.min(error.from, length),
  to: Math.min(error.to, length),
});

function jsonErrors(text: string): TextError[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const { message } = error as SyntaxError;
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.trimEnd().length);
    return [{ from: at, to: at + 1, what: 'syntax', detail: message }];
  }
}

function errorsAt(yamlNode: unknown, schema: SchemaNode, parentRange: Range, document: Document): TextError[] {
  const range = rangeOf(yamlNode as Node, parentRange);
  const node = isAlias(yamlNode) ? yamlNode.resolve(document) : yamlNode;
  const error = (what: TextError['what'], detail = ''): TextError[] => [{ ...range, what, detail }];
  if (schema.properties) return isMap(node) ? memberErrors(node, schema, range, document) : error('notMembers');
  if (schema.type === 'array') {
    if (!isSeq(node)) return error('notList');
    if (node.items.length < (schema.minItems ?? 0)) return error('empty');
    return node.items.flatMap((item) => errorsAt(item, schema.items ?? {}, range, document));
  }
  const value = isScalar(node) ? node.value : undefined;
  if (schema.enum) return schema.enum.includes(String(value)) ? [] : error('notOne', schema.enum.join(', '));
  if (schema.type !== 'string') return [];
  if (typeof value !== 'string') return error('notText');
  return value.trim().length < (schema.minLength ?? 0) ? error('empty') : [];
}

type Members = { readonly items: readonly { readonly key: unknown; readonly value: unknown }[] };

function memberErrors(node: Members, schema: SchemaNode, range: Range, document: Document): TextError[] {
  const properties = schema.properties ?? {};
  const existing = node.items.flatMap(({ key, value }): TextError[] => {
    const name = isScalar(key) ? String(key.value) : '';
    const at = rangeOf(key as Node, range);
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return member ? errorsAt(value, member, at, document) : [{ ...at, what: 'unknown', detail: name }];
  });
  const names = node.items.map(({ key }) => (isScalar(key) ? key.value : undefined));
  const missing = (schema.required ?? []).filter((name) => !names.includes(name));
  // Marks only the first character; marking the whole object would underline everything in it.
  const start = { from: range.from, to: range.from + 1 };
  return [...existing, ...missing.map((name): TextError => ({ ...start, what: 'missing', detail: name }))];
}
