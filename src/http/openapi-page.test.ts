import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import Type from 'typebox';
import { COMPONENT, openApiDocument } from './openapi.ts';
import { openApiPage } from './openapi-page.ts';
import { palettes } from './openapi-style.ts';
import type { Route } from './route.ts';

const run: Route['run'] = () => undefined;
const Gate = Type.Object({ id: Type.String({ description: 'What it is called.' }), width: Type.Integer() });

const routes: Route[] = [
  {
    method: 'GET',
    path: '/gates/:id',
    group: 'Gates',
    summary: 'One gate',
    description: 'With `?deep` all of it.',
    params: Type.Object({ id: Type.String({ description: 'Which gate.' }) }),
    query: Type.Object({ deep: Type.Optional(Type.Boolean()) }),
    answers: {
      200: { description: 'The gate.', content: { 'application/json': Gate, 'text/plain': Type.String() } },
      304: { description: 'It is as you know it.' },
    },
    run,
  },
  {
    method: 'POST',
    path: '/gates/test',
    group: 'Tools',
    summary: 'Try a gate',
    body: Type.Object({ gate: Type.Unknown({ [COMPONENT]: 'Gate' }) }),
    answers: { 200: { description: 'It opens.' } },
    run,
  },
  {
    method: 'POST',
    path: '/gates',
    group: 'Gates',
    summary: 'Build a gate',
    body: Type.Object({ gate: Gate }, { examples: [{ gate: { id: 'north', width: 4 } }] }),
    answers: { 200: { description: 'It stands.' } },
    run,
  },
];
const document = openApiDocument(routes, {
  title: 'Sluice',
  version: '1.2.3',
  description: 'Opens & shuts.',
  components: { Gate },
});
const { html, policy } = openApiPage(document);

type Tag = { readonly name: string; readonly closes: boolean; readonly attributes: Readonly<Record<string, string>> };

function tagsOf(page: string): Tag[] {
  const body = page.replace(/<style>[^<]*<\/style>/, '').replace('<!doctype html>', '');
  const found = [...body.matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g)];
  assert.equal(found.length, body.split('<').length - 1, 'every < begins a tag that we wrote');
  return found.map(([, slash, name, attributes]) => ({
    name: name!,
    closes: slash === '/',
    attributes: Object.fromEntries(
      [...attributes!.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, text]) => [key!, text ?? '']),
    ),
  }));
}

/** The page as someone reads it: without tags, with the entities resolved. */
const read = (page: string): string =>
  page
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

function assertWellFormed(page: string): void {
  const tags = tagsOf(page);
  const open: string[] = [];
  for (const { name, closes } of tags.filter((tag) => tag.name !== 'meta')) {
    if (closes) assert.equal(open.pop(), name);
    else open.push(name);
  }
  assert.deepEqual(open, []);
  const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? []);
  assert.deepEqual(ids, [...new Set(ids)], 'no id stands twice');
  const targets = tags.flatMap(({ attributes }) => [attributes['href'], attributes['aria-labelledby']]);
  for (const target of targets) if (target !== undefined) assert.ok(ids.includes(target.replace(/^#/, '')), target);
}

test('the page has title, version and description, and each operation under its group', () => {
  const text = read(html);
  assert.match(text, /Sluice 1\.2\.3 Opens & shuts\./);
  const headings = [...html.matchAll(/<h([1-6])[^>]*>(.*?)<\/h\1>/g)].map((match) => match[1] + read(match[2]!));
  assert.deepEqual(
    headings.filter((heading) => /^[23]/.test(heading)),
    ['2Contents', '2Start here', '2Gates', '3One gate', '3Build a gate', '2Tools', '3Try a gate', '2Schemas', '3Gate'],
  );
});

test('an operation shows its endpoint, parameters, body and answers', () => {
  const text = read(html);
  assert.match(text, /GET \/gates\/\{id\} With \?deep all of it\. Parameters id string in path required Which gate\./);
  assert.match(text, /deep boolean in query Answers/);
  assert.match(
    text,
    /200 The gate\. application\/json text\/plain application\/json object id string required What it/,
  );
  assert.match(text, /304 It is as you know it\./);
  assert.match(text, /Request body application\/json object gate object required Members id string required/);
});

test('a reference leads to its schema', () => {
  assert.match(html, /<a href="#schema-Gate">Gate<\/a> *<\/span> <span class="required">/);
  assert.match(html, /<article id="schema-Gate"/);
});

test('the page starts with the example of the first POST operation that has one', () => {
  assert.match(read(html), /Start here Build a gate\..* curl http:\/\/127\.0\.0\.1:8080\/gates \\ -H .*north/);
  const without = openApiPage(
    openApiDocument(routes.slice(0, 2), { title: '', version: '', description: '', components: {} }),
  );
  assert.doesNotMatch(without.html, /Start here|curl/);
});

test('elements nest, ids are single, every link leads somewhere on the page', () => {
  assertWellFormed(html);
});

test('no level of headings is skipped', () => {
  const levels = tagsOf(html).flatMap(({ name, closes }) =>
    /^h[1-6]$/.test(name) && !closes ? [Number(name[1])] : [],
  );
  assert.equal(levels[0], 1);
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `h${level} after h${before}`);
    return level;
  });
});

test('the policy allows the style of the page and nothing else', () => {
  const [, style] = /<style>([^<]*)<\/style>/.exec(html)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.doesNotMatch(html, / style=|<script|<link|<img|@import|url\(/);
});

test('hostile texts of a document stay text', () => {
  const hostile = `"'><script>alert(1)</script><a href=javascript:1 onclick=x>\`<b>\`</style>&lt;\0\u{d800}`;
  const schema = {
    $id: hostile,
    type: 'object',
    title: hostile,
    description: hostile,
    required: [hostile],
    properties: {
      [hostile]: { type: hostile, format: hostile, description: hostile, pattern: hostile, default: hostile },
      b: { enum: [hostile, { [hostile]: hostile }] },
      c: { const: hostile },
      d: { $ref: `#/components/schemas/${hostile.replaceAll('/', '')}` },
      e: { anyOf: [{ type: 'object', title: hostile, properties: { [hostile]: {} } }, { type: 'string' }] },
    },
    examples: [{ [hostile]: hostile }],
  };
  const content = { 'application/json': { schema }, [hostile]: { schema } };
  const page = openApiPage({
    openapi: hostile,
    info: { title: hostile, version: hostile, description: hostile, license: { name: hostile } },
    servers: [{ url: hostile }],
    paths: {
      [hostile]: {
        [hostile]: {},
        post: {
          operationId: hostile,
          tags: [hostile],
          summary: hostile,
          description: hostile,
          parameters: [{ name: hostile, in: hostile, description: hostile, schema }],
          requestBody: { description: hostile, content },
          responses: { [hostile]: { description: hostile, content } },
        },
      },
    },
    components: { schemas: { [hostile.replaceAll('/', '')]: schema } },
  });
  assertWellFormed(page.html);
  const tags = tagsOf(page.html);
  assert.deepEqual(
    tags.filter(({ name }) => ['script', 'b'].includes(name)),
    [],
  );
  assert.deepEqual(
    tags.flatMap(({ attributes }) => attributes['href'] ?? []).filter((href) => !/^#[\w.~-]+$/.test(href)),
    [],
  );
  assert.doesNotMatch(page.html, /[\0\u{d800}]/u);
  assert.equal(page.policy, policy);
});

test('every colour of text has the contrast of WCAG AA on both grounds, in light and dark', () => {
  for (const { ground, raised, line: _, ...texts } of Object.values(palettes))
    for (const [name, colour] of Object.entries(texts))
      for (const below of [ground, raised])
        assert.ok(contrast(colour, below) >= 4.5, `${name} ${colour} on ${below}: ${contrast(colour, below)}`);
});

// WCAG 2.2, "relative luminance" and "contrast ratio".
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = colour.match(/[0-9a-f]{2}/g)!.map((hex) => {
    const share = Number.parseInt(hex, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
