import { type Place, wholePlace } from './configuration.ts';
import type { Language } from './validate-text.ts';

/** Where in a configuration somebody types: below which members, and whether the name of one or a value. */
export type TypingPlace = {
  readonly keys: readonly string[];
  readonly kind: 'key' | 'value';
  /** Where the word begins that is being typed. */
  readonly from: number;
};

/** What may stand at a place; a list stands for each of its items. */
export function placeBelow(keys: readonly string[]): Place | undefined {
  let place: Place | undefined = wholePlace;
  for (const key of keys) {
    const below: Place | undefined = place?.properties?.[key];
    place = below?.items ?? below;
  }
  return place;
}

/** Texts that are being typed are seldom whole: this reads only what stands before the place. */
export const placeInText = (text: string, at: number, language: Language): TypingPlace =>
  language === 'json' ? placeInJson(text.slice(0, at)) : placeInYaml(text.slice(0, at));

type Frame = { readonly kind: '{' | '['; key: string | undefined };

const jsonToken = /(?<text>"(?:[^"\\]|\\.)*")|(?<begun>"(?:[^"\\]|\\.)*$|[^\s{}[\]:,"]+$)|(?<sign>[{}[\]:,])/g;

function placeInJson(before: string): TypingPlace {
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

function placeInYaml(before: string): TypingPlace {
  const lines = before.split('\n');
  const [, spaces = '', dashes = '', key, rest = ''] = yamlLine.exec(lines.pop() ?? '') ?? [];
  const word = /[^\s[\],]*$/.exec(rest)?.[0] ?? '';
  const isItem = dashes !== '' && key === undefined;
  let level = dashes === '' ? spaces.length : spaces.length + (isItem ? 0 : dashes.length);
  const keys: string[] = key === undefined ? [] : [key];
  // An item may stand right below the name of its list, at the same depth.
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
    // The first member of an item of a list: what is above it is the name of the list.
    if (dashes !== '' && depth <= level) {
      level = spaces.length;
      mayBeEqual = true;
    }
    if (level === 0 && !mayBeEqual) break;
  }
  const holdsValues = key !== undefined || (isItem && placeBelow(keys)?.properties === undefined);
  return { keys, kind: holdsValues ? 'value' : 'key', from: before.length - word.length };
}
