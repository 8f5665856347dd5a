import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { localeFolders, localeProblems, localeTexts, withoutForm } from '../scripts/locale-texts.ts';
import { allLanguages } from '../web/locales/languages.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

const english = localeTexts('en');

for (const language of localeFolders())
  test(`${language} has all texts, plural forms and placeholders, and is in the menu`, () => {
    assert.deepEqual(localeProblems(language, english, localeTexts(language)), []);
    assert.ok(allLanguages.some(({ id }) => id === language));
  });

test('a missing plural form, an unknown key, a wrong placeholder and an empty text are found', () => {
  const texts = new Map([
    ['a:files_zero', 'Brak plików'],
    ['a:files_one', 'Plik'],
    ['a:files_few', '{{count}} pliki'],
    ['a:files_other', '{{count}} pliku'],
    ['a:size', '{{number}} MB'],
    ['a:more', 'Więcej'],
    ['a:open', ' '],
  ]);
  const english = new Map([
    ['a:files_zero', 'No files'],
    ['a:files_one', '{{count}} file'],
    ['a:files_other', '{{count}} files'],
    ['a:size', '{{size}} MB'],
    ['a:open', 'Open'],
  ]);
  assert.deepEqual(localeProblems('pl', english, texts), [
    'a:files_many is missing',
    'a:more is not a key of English',
    'a:size: placeholders',
    'a:open is empty',
  ]);
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
    for (const [, key] of source.matchAll(/'([\w.:]+)'/g)) used.add(key!.includes(':') ? key! : `${page}:${key}`);
  }
  assert.deepEqual(missing, []);
  // The texts of messages are compared with the table of messages in its own test.
  const wholePages = ['errors', 'messages'];
  const unused = [...known].filter((key) => !used.has(key) && !wholePages.includes(key.split(':')[0]!));
  assert.deepEqual(unused, []);
});
