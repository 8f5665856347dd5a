import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { type Configuration, type Place, wholePlace } from './configuration.ts';

export type Language = 'yaml' | 'json';

/** What is wrong with a text, and where. `what` is a key of the page's words. */
export type Fault = {
  readonly from: number;
  readonly to: number;
  readonly what: 'syntax' | 'unknown' | 'missing' | 'notText' | 'notList' | 'notMembers' | 'notOne' | 'empty';
  readonly detail: string;
};

export type Checked = {
  /** There as soon as it has the shape of one, even if something in it is still empty. */
  readonly configuration: Configuration | undefined;
  readonly faults: readonly Fault[];
};

/** Reads a configuration and finds every place that the schema does not allow. JSON is YAML, too, and so has places. */
export function checkText(text: string, language: Language): Checked {
  const document = parseDocument(text, { prettyErrors: false });
  const syntax: Fault[] = document.errors.map(({ pos: [from, to], message }) => ({
    from,
    to: Math.max(to, from + 1),
    what: 'syntax',
    detail: message,
  }));
  if (syntax.length === 0 && language === 'json') syntax.push(...faultsOfJson(text));
  if (syntax.length > 0) return { configuration: undefined, faults: syntax.map((fault) => within(fault, text)) };
  const faults = faultsAt(document.contents, wholePlace, { from: 0, to: text.length }, document);
  const isOfShape = faults.every(({ what }) => what === 'empty');
  const read = isOfShape ? wholeOf(document) : undefined;
  return {
    configuration: read as Configuration | undefined,
    faults: [...faults, ...(isOfShape && read === undefined ? [tooMany] : [])].map((fault) => within(fault, text)),
  };
}

const tooMany: Fault = { from: 0, to: 1, what: 'syntax', detail: 'too many aliases' };

/** Undefined when a few lines of it stand for more than any memory has. */
function wholeOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Where a path as `sources[0].transformations[1]` leads, or as far as it does. */
export function placeOf(text: string, path: string): { readonly from: number; readonly to: number } {
  let node = parseDocument(text).contents as Node | null;
  let place = rangeOf(node, { from: 0, to: text.length });
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!pair) break;
      node = pair.value as Node | null;
      place = rangeOf(pair.key as Node, place);
    } else if (isSeq(node)) {
      node = node.items[Number(step)] as Node | null;
      place = rangeOf(node, place);
    } else break;
  }
  return place;
}

type Range = { readonly from: number; readonly to: number };

const rangeOf = (node: Node | null | undefined, otherwise: Range): Range =>
  node?.range ? { from: node.range[0], to: node.range[1] } : otherwise;

const within = (fault: Fault, { length }: string): Fault => ({
  ...fault,
  from: Math.min(fault.from, length),
  to: Math.min(fault.to, length),
});

function faultsOfJson(text: string): Fault[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const { message } = error as SyntaxError;
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.trimEnd().length);
    return [{ from: at, to: at + 1, what: 'syntax', detail: message }];
  }
}

function faultsAt(given: unknown, place: Place, above: Range, document: Document): Fault[] {
  const range = rangeOf(given as Node, above);
  const node = isAlias(given) ? given.resolve(document) : given;
  const fault = (what: Fault['what'], detail = ''): Fault[] => [{ ...range, what, detail }];
  if (place.properties) return isMap(node) ? faultsOfMembers(node, place, range, document) : fault('notMembers');
  if (place.type === 'array') {
    if (!isSeq(node)) return fault('notList');
    if (node.items.length < (place.minItems ?? 0)) return fault('empty');
    return node.items.flatMap((item) => faultsAt(item, place.items ?? {}, range, document));
  }
  const value = isScalar(node) ? node.value : undefined;
  if (place.enum) return place.enum.includes(String(value)) ? [] : fault('notOne', place.enum.join(', '));
  if (place.type !== 'string') return [];
  if (typeof value !== 'string') return fault('notText');
  return value.trim().length < (place.minLength ?? 0) ? fault('empty') : [];
}

type Members = { readonly items: readonly { readonly key: unknown; readonly value: unknown }[] };

function faultsOfMembers(node: Members, place: Place, range: Range, document: Document): Fault[] {
  const known = place.properties ?? {};
  const found = node.items.flatMap(({ key, value }): Fault[] => {
    const name = isScalar(key) ? String(key.value) : '';
    const at = rangeOf(key as Node, range);
    const member = Object.hasOwn(known, name) ? known[name] : undefined;
    return member ? faultsAt(value, member, at, document) : [{ ...at, what: 'unknown', detail: name }];
  });
  const names = node.items.map(({ key }) => (isScalar(key) ? key.value : undefined));
  const missing = (place.required ?? []).filter((name) => !names.includes(name));
  // At the first line of what lacks it: the whole of it would be all red.
  const start = { from: range.from, to: range.from + 1 };
  return [...found, ...missing.map((name): Fault => ({ ...start, what: 'missing', detail: name }))];
}
