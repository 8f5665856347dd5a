// Reads the texts of the interface and compares languages with English.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../web/locales/', import.meta.url));

type Words = { readonly [name: string]: string | Words };
type Texts = ReadonlyMap<string, string>;

export const localeFolders = (): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Files of a language with the names of their namespaces: `sign-in.json` is `signIn`. */
export const localeFiles = (language: string): { readonly path: string; readonly namespace: string }[] =>
  readdirSync(`${folder}${language}`)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      path: `${folder}${language}/${file}`,
      namespace: file.replace('.json', '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    }));

/** All texts of a language by `namespace:key`. */
export const localeTexts = (language: string): Texts =>
  new Map(
    localeFiles(language).flatMap(({ path, namespace }) =>
      entriesOf(JSON.parse(readFileSync(path, 'utf8')) as Words, `${namespace}:`),
    ),
  );

const entriesOf = (words: Words, above: string): [string, string][] =>
  Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string' ? [[above + name, value] as [string, string]] : entriesOf(value, `${above}${name}.`),
  );

const formOf = (key: string): string | undefined => /_(zero|one|two|few|many|other)$/.exec(key)?.[1];
/** A key without its plural form. */
export const withoutForm = (key: string): string => key.replace(/_(?:zero|one|two|few|many|other)$/, '');
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

/** Differences from English: missing and superfluous keys, and wrong placeholders. Checks the plural forms of the language. */
export function localeProblems(language: string, english: Texts, texts: Texts): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const keys = new Set(
    [...english.keys()].flatMap((key) =>
      // i18next uses the form `zero` for 0 in every language.
      formOf(key) === undefined || formOf(key) === 'zero' ? [key] : forms.map((form) => `${withoutForm(key)}_${form}`),
    ),
  );
  return [
    ...[...keys].filter((key) => !texts.has(key)).map((key) => `${key} is missing`),
    ...[...texts.keys()].filter((key) => !keys.has(key)).map((key) => `${key} is not a key of English`),
    ...[...texts]
      .filter(([key, text]) => keys.has(key) && isWrong(key, text, english))
      .map(([key]) => `${key}: placeholders`),
    ...[...texts].filter(([, text]) => text.trim() === '').map(([key]) => `${key} is empty`),
  ];
}

// A plural form that matches exactly one number may spell it out instead of using the placeholder.
const formsOfOneNumber: ReadonlySet<string | undefined> = new Set(['zero', 'one', 'two']);

function isWrong(key: string, text: string, english: Texts): boolean {
  const form = formOf(key);
  const expected = placeholders(english.get(form === undefined ? key : `${withoutForm(key)}_other`)!);
  const found = placeholders(text);
  return formsOfOneNumber.has(form)
    ? found.some((name) => !expected.includes(name))
    : found.join(' ') !== expected.join(' ');
}
