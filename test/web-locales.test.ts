import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../web/', import.meta.url));

type Words = { readonly [name: string]: string | Words };

const keysOf = (words: Words, above = ''): string[] =>
  Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string' ? [above + name] : keysOf(value, `${above}${name}.`),
  );

const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** All texts of a language by `namespace:key`. */
function textsOf(language: string): Map<string, string> {
  const folder = `${web}locales/${language}/`;
  const pairs = readdirSync(folder).flatMap((file) => {
    const words = JSON.parse(readFileSync(folder + file, 'utf8')) as Words;
    const page = camel(file.replace('.json', ''));
    return keysOf(words).map((key): [string, string] => [`${page}:${key}`, valueAt(words, key)]);
  });
  return new Map(pairs);
}

const valueAt = (words: Words, key: string): string =>
  key.split('.').reduce<string | Words>((at, step) => (at as Words)[step]!, words) as string;

const placeholders = (text: string): string[] => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name!).sort();
// Plural forms differ between languages.
const withoutForm = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');

const english = textsOf('en');
const german = textsOf('de');

test('English and German have the same keys and interpolation variables', () => {
  assert.deepEqual([...german.keys()].sort(), [...english.keys()].sort());
  for (const [key, text] of english) assert.deepEqual(placeholders(german.get(key)!), placeholders(text), key);
  for (const [key, text] of [...english, ...german]) assert.notEqual(text.trim(), '', key);
});

test('every key that is used exists, and every key is used', () => {
  const known = new Set([...english.keys()].map(withoutForm));
  const used = new Set<string>();
  const missing: string[] = [];
  for (const path of readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))) {
    const source = readFileSync(web + path, 'utf8');
    const page = /useTranslation\(\[?'(\w+)'/.exec(source)?.[1] ?? 'shell';
    for (const [, key] of source.matchAll(/\bt\('([\w.:]+)'/g)) {
      const whole = key!.includes(':') ? key! : `${page}:${key}`;
      used.add(whole);
      if (!known.has(whole)) missing.push(`${path}: ${whole}`);
    }
    // TypeScript checks keys that are composed or read from tables; here it is enough that they occur.
    for (const [, start] of source.matchAll(/\bt\(`([\w.]+)\.\$\{/g))
      for (const key of known) if (key.startsWith(`${page}:${start}.`)) used.add(key);
    for (const [, key] of source.matchAll(/'([\w.]+)'/g)) used.add(`${page}:${key}`);
  }
  assert.deepEqual(missing, []);
  // The texts of messages are compared with the table of messages in its own test.
  const wholePages = ['errors', 'messages'];
  const unused = [...known].filter((key) => !used.has(key) && !wholePages.includes(key.split(':')[0]!));
  assert.deepEqual(unused, []);
});
