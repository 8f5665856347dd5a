import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { startManagement } from './support/management.ts';

type Media = { readonly schema: object; readonly example?: unknown };
type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  readonly security: readonly object[];
};
type Document = {
  readonly openapi: string;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

type Ruleset = { readonly rules: object };
type Linter = {
  setRuleset(ruleset: { readonly extends: readonly Ruleset[] }): void;
  run(document: object): Promise<readonly { readonly code: string; readonly path: readonly string[] }[]>;
};
type Problem = { readonly ruleId: string; readonly location: readonly { readonly pointer?: string }[] };
type Redocly = {
  readonly createConfig: (settings: object) => Promise<object>;
  readonly lintFromString: (what: { source: string; absoluteRef: string; config: object }) => Promise<Problem[]>;
};
// Their own types do not fit each other.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as { readonly Spectral: new () => Linter };
const { oas } = require('@stoplight/spectral-rulesets') as { readonly oas: Ruleset };
const { createConfig, lintFromString } = require('@redocly/openapi-core') as Redocly;

let document: Document;
let document30: Document;
before(async () => {
  const { ask } = await startManagement({ after });
  document = (await ask('GET', '/swagger/openapi.json')).json;
  document30 = (await ask('GET', '/swagger/openapi-3.0.json')).json;
});

const management = (): Operation[] =>
  Object.entries(document.paths)
    .filter(([path]) => /^\/o?api\//.test(path))
    .flatMap(([, methods]) => Object.values(methods));

/** With references replaced by the schemas, which do not refer to themselves. */
const resolved = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: to } = value as { $ref?: string };
  if (to !== undefined) return resolved(document.components.schemas[to.split('/').at(-1)!]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
};

test('every operation has a description, a declared tag and the statuses of every request', () => {
  const tags = new Set(document.tags.map(({ name }) => name));
  for (const { operationId, description = '', tags: own, responses, requestBody, security } of management()) {
    assert.match(description, /^[A-Z`].*[.)]$/s, operationId);
    assert.deepEqual(
      own.filter((tag) => !tags.has(tag)),
      [],
      operationId,
    );
    const wanted = [500, 503, ...(requestBody ? [413, 415] : []), ...(security.length > 0 ? [401, 429] : [])];
    assert.deepEqual(
      wanted.filter((status) => !responses[status]),
      [],
      operationId,
    );
  }
  assert.deepEqual(document.servers, [{ url: '/', description: 'This server.' }]);
});

test('every JSON body has an example that its schema accepts', () => {
  let checked = 0;
  for (const { operationId, requestBody, responses } of management()) {
    const success = Object.entries(responses).filter(([status]) => Number(status) < 300);
    const bodies = [requestBody?.content, ...success.map(([, { content }]) => content)];
    for (const { schema, example } of bodies.flatMap((content) => Object.values(content ?? {}))) {
      const errors = Compile(resolved(schema) as object).Errors(example);
      assert.deepEqual(errors, [], `${operationId}: ${JSON.stringify(example)}`);
      assert.notEqual(example, undefined, operationId);
      checked++;
    }
  }
  assert.ok(checked > 100, `${checked}`);
});

test('the document in version 3.0 has the same operations and no keyword of 3.1', () => {
  assert.deepEqual([document.openapi, document30.openapi], ['3.1.0', '3.0.3']);
  const ids = ({ paths }: Document): string[] =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assert.deepEqual(ids(document30), ids(document));
  const text = JSON.stringify(document30);
  for (const keyword of ['patternProperties', 'const', 'identifier', 'prefixItems', '$defs', 'exclusiveMinimum'])
    assert.ok(!text.includes(`"${keyword}":`), keyword);
  assert.doesNotMatch(text, /"type":\[/);
});

test('spectral and redocly find no error and no warning in either version', async () => {
  const linter = new Spectral();
  linter.setRuleset({ extends: [oas] });
  const config = await createConfig({ extends: ['recommended'] });
  for (const each of [document, document30]) {
    const found = await linter.run(each);
    assert.deepEqual(
      found.map(({ code, path }) => `${code} ${path.join('/')}`),
      [],
      each.openapi,
    );
    const source = JSON.stringify(each);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`),
      // The published API has only the redirect.
      ['operation-2xx-response #/paths/~1oapi~1v1~1oauth_authorize/get/responses'],
      each.openapi,
    );
  }
});
