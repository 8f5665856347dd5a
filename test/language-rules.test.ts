import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { startManagement } from './support/management.ts';
import { startService } from './support/service.ts';
import { documentOf } from './support/service-contract.ts';

// Phrasing that a maintainer or user of the field would not use. See CONTRIBUTING.md for the words to use instead.
const phrases = [
  /(?:^|[.:;!?] |\| |\*\*)(?:What|Whoever|Whom|Whose|Who) [a-z]/,
  /(?<!there )\b(?:is|are) (?:no|none)\b(?! (?:longer|more|less))/i,
  /\b(?:somebody|nobody|anybody|everybody|whoever|strangers?|shelf|shelves|brakes?|doors?|doorway|tally|tallies|anew|lets? go|told|tells?)\b/i,
];

// For texts that users read, in addition to the phrases above.
const phrasesOfTexts = [
  /\b(?:times? of life|such a one|(?:is|are) no more|whom|as they came|cannot be had|by hand of|he|him)\b(?! than)/i,
  /\b(?:becomes? of|became of|is gone|is away|unless said|in (?:plain )?words|stands? (?:for|in|there|behind|beside|before)|let in|lies)\b/i,
  /\b(?:is|are) asked\b(?! to)/i,
  /\b(?:of (?:its|their|our|one's) own|as good as|so (?:many|much)|than one may)\b/i,
];

// Comments that still match. It only goes down; the target is 1 % of all comments.
const MAX_COMMENTS = 57;

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort();
const isOdd = (text: string): boolean => phrases.some((phrase) => phrase.test(text));
const isOddText = (text: string): boolean => isOdd(text) || phrasesOfTexts.some((phrase) => phrase.test(text));

/** Values of settings and former names that documents must mention. */
const allowedInDocs = [/operator/, /formerly|former names|was `|is now `/, /^description: What it is for/];

function oddLines(path: string): string[] {
  return read(path)
    .split('\n')
    .filter((line) => !allowedInDocs.some((allowed) => allowed.test(line)))
    .filter((line) => isOddText(line.replaceAll(/`[^`]*`/g, '')))
    .map((line) => `${path}: ${line}`);
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Summaries and descriptions of an OpenAPI document. */
function descriptions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    (key === 'summary' || key === 'description') && typeof member === 'string' ? [member] : descriptions(member),
  );
}

/** Text of string literals and templates. */
function literals(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as { readonly type?: string; readonly value?: unknown };
  if (type === 'Literal' && typeof value === 'string') return [value];
  if (type === 'TemplateLiteral') {
    const { quasis, expressions } = node as {
      readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
      readonly expressions: readonly unknown[];
    };
    return [quasis.map((quasi) => quasi.value.cooked).join('…'), ...expressions.flatMap(literals)];
  }
  return Object.values(node).flatMap(literals);
}

const isSql = (text: string): boolean =>
  /\b(?:select\b.+\bfrom|insert into|delete from|update \w+ set|create (?:table|index|unique)|alter table|drop table)\b/is.test(
    text,
  );
const isSentence = (text: string): boolean =>
  (text.match(/[a-z]+/gi) ?? []).length >= 3 && text.includes(' ') && !isSql(text);
// Quoted code, and a value of the setting `operator`.
const codeOrSetting = /`[^`]*`|\bnobody\b(?= nor|;)/g;
const oddLiterals = (path: string, source: string): string[] =>
  literals(parseSync(path, source).program)
    .filter((text) => isSentence(text) && isOddText(text.replaceAll(codeOrSetting, '')))
    .map((text) => `${path}: ${text}`);

function comments(path: string): string[] {
  const blocks = read(path).match(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
  return blocks.map((block) =>
    block
      .replaceAll(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

/** First arguments of `test` and of the helpers that call it. */
const titlePattern =
  /\b(?:test|suite|onBoth|onEachDatabase|testLogs|testRecords|theOriginal)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const titles = (text: string): string[] => [...text.matchAll(titlePattern)].map(([, , title]) => title!);
/** Questions may open with a question word, and a quoted value is that of the product. */
const isOddTitle = (title: string): boolean =>
  !title.endsWith('?') && (/^(?:what|whoever|whom|whose|who) /i.test(title) || isOdd(title.replaceAll(/"[^"]*"/g, '')));

test('documents use plain technical English', () => {
  assert.deepEqual(files('docs/*.md', '*.md').flatMap(oddLines), []);
});

test('the texts of the interface use plain English', () => {
  const odd = files('web/locales/en/*.json').flatMap((path) => texts(JSON.parse(read(path))).filter(isOddText));
  // Questions may open with a question word.
  assert.deepEqual(
    odd.filter((text) => !text.endsWith('?')),
    [],
  );
});

test('the OpenAPI documents use plain technical English', async (t) => {
  const { document } = await startManagement(t);
  const all = [document, await documentOf(await startService(t))].flatMap(descriptions);
  assert.ok(all.length > 500, `${all.length} descriptions`);
  assert.deepEqual(all.filter(isOddText), []);
});

test('messages in the source use plain technical English', () => {
  // The table of public suffixes has names, not text.
  const paths = files('src/**/*.ts').filter((path) => !/\.test\.ts$|public-suffixes\.ts$/.test(path));
  assert.deepEqual(
    paths.flatMap((path) => oddLiterals(path, read(path))),
    [],
  );
});

test('comments use plain technical English', (t) => {
  const all = files('{src,kernels,bench,scripts,test}/**/*.ts', 'web/**/*.{ts,tsx}').flatMap(comments);
  const odd = all.filter(isOdd);
  t.diagnostic(`${odd.length} of ${all.length} comments match (${((100 * odd.length) / all.length).toFixed(1)} %)`);
  assert.ok(odd.length <= MAX_COMMENTS, `${odd.length} comments match; at most ${MAX_COMMENTS}`);
});

test('titles of tests use plain technical English', () => {
  const all = files('{src,kernels,test,web}/**/*.test.ts').map((path) => ({ path, found: titles(read(path)) }));
  assert.ok(all.flatMap(({ found }) => found).length > 2500);
  assert.deepEqual(
    all.flatMap(({ path, found }) => found.filter(isOddTitle).map((title) => `${path}: ${title}`)),
    [],
  );
});

test('each rule finds a planted phrase', () => {
  for (const text of ['What is kept.', 'Whoever asks', 'that is no name', 'told to nobody'])
    assert.ok(isOdd(text), text);
  for (const text of ['the user, whom', 'What becomes of it', 'what it stands for', 'it is asked', 'a list of its own'])
    assert.ok(isOddText(text), text);
  for (const text of ['There is no account.', 'It is no longer used.', 'Lists devices.'])
    assert.ok(!isOddText(text), text);
  assert.deepEqual(titles("test('one', () => {});\nawait t.test(`two`, run);"), ['one', 'two']);
  for (const title of ['what is read is checked', 'a client is told']) assert.ok(isOddTitle(title), title);
  for (const title of ['Who may sign in?', 'the button "What is this" is shown']) assert.ok(!isOddTitle(title), title);
});

test('a planted phrase is found in a description, a message and a template', () => {
  const document = {
    paths: { '/x': { get: { summary: 'What becomes of it', parameters: [{ description: 'Fine.' }] } } },
  };
  assert.deepEqual(descriptions(document).filter(isOddText), ['What becomes of it']);
  const source = [
    'const a: string = "this is no name";',
    'const b = `$',
    '{a} is away now`; const c = "no such name"; // nobody',
  ].join('');
  assert.deepEqual(oddLiterals('a.ts', source), ['a.ts: this is no name', 'a.ts: … is away now']);
});
