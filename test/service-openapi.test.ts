import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Compile } from 'typebox/schema';
import { post as postUnchecked, startService } from './support/service.ts';
import { documentOf } from './support/service-contract.ts';
import { ask } from './support/service-raw.ts';

const service = await startService({ after }, ['--requests-per-minute', '1000']);
const document = await documentOf(service);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);

test('the document is OpenAPI 3.1 of this version of the service', async () => {
  const { headers, body } = await ask(service, 'GET', '/api/openapi.json');
  assert.match(headers['content-type'] ?? '', /^application\/json/);
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.deepEqual(JSON.parse(body.toString()), document);
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.equal(document.info.title, 'Weir');
  const { version } = JSON.parse((await ask(service, 'GET', '/api')).body.toString());
  assert.equal(document.info.version, version);
  assert.deepEqual(Object.keys(document), ['openapi', 'info', 'servers', 'paths', 'components']);
});

test('each operation has a unique id, a summary, and described responses', () => {
  const ids = operations.map(({ operationId }) => operationId);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { path, method, operationId, summary, responses } of operations) {
    const where = `${method} ${path}`;
    assert.match(path, /^\//);
    assert(['get', 'post', 'put', 'delete'].includes(method), where);
    assert.match(operationId, /^[a-z][A-Za-z]+$/);
    assert(summary.length > 0, where);
    assert(Object.keys(responses).includes('200'), where);
    for (const [status, answer] of Object.entries(responses)) {
      assert.match(status, /^[1-5]\d\d$/);
      assert(String((answer as { description?: string }).description).length > 0, `${where} ${status}`);
    }
  }
});

test('each name in a path is a parameter, and each path parameter is required and in the path', () => {
  for (const { path, parameters = [] } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }) => name),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      path,
    );
    for (const { required, schema } of inPath) {
      assert.equal(required, true);
      assert.equal(typeof schema, 'object');
    }
    for (const { in: place } of parameters) assert(place === 'path' || place === 'query');
  }
});

test('each reference leads to a component of the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  assert(references.length > 0);
  for (const reference of references) {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? [];
    assert(name !== undefined && Object.hasOwn(document.components.schemas, name), reference);
  }
});

test('each schema in the document can validate values', () => {
  for (const { path, requestBody, responses } of operations) {
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const content of contents)
      for (const [type, { schema }] of Object.entries(content ?? {})) {
        assert.match(type, /^(application\/json|text\/(plain|event-stream|html))$/);
        assert.doesNotThrow(() => Compile(withComponents(schema)), path);
      }
  }
});

/** Alone, as a checker wants it. */
const withComponents = (schema: object): object =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll('#/components/schemas/', '#/$defs/'),
  );

const routes: readonly (readonly [string, string])[] = [
  ['post', '/compile'],
  ['post', '/compile/stream'],
  ['post', '/compile/batch'],
  ['get', '/lists/{id}'],
  ['post', '/diff'],
  ['post', '/validate'],
  ['get', '/api'],
  ['get', '/compile/access'],
  ['get', '/metrics'],
  ['get', '/health/live'],
  ['get', '/health/ready'],
];

test('the document has every route of the service and no other', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`);
  const inDocument = documented.filter((one) => !one.startsWith('get /api/')).toSorted();
  assert.deepEqual(inDocument, routes.map((route) => route.join(' ')).toSorted());
});

test('the document has itself', () => {
  assert(document.paths['/api/openapi.json']?.['get']);
});

test('GET /api and the document have the same paths, except for pages and health', async () => {
  const { endpoints } = JSON.parse((await ask(service, 'GET', '/api')).body.toString());
  const isAside = (one: string): boolean => / \/(health\/\w+|api\/(docs|openapi\.json))?$/.test(one);
  const named = Object.keys(endpoints).filter((one) => !isAside(one));
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(named.toSorted(), documented.filter((one) => !isAside(one)).toSorted());
});

test('each route of the document exists, and its aliases are listed', async () => {
  for (const { method, path, description } of operations) {
    const body = method === 'post' ? { body: '' } : {};
    const answer = await ask(service, method.toUpperCase(), path.replace('{id}', '0'), body);
    assert.notEqual(answer.body.toString(), 'Not Found', path);
    if (path.startsWith('/compile')) assert.match(description ?? '', new RegExp(`/api${path}\\b`));
  }
});

const bodies: readonly (readonly [string, unknown])[] = [
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^' }] } }],
  [
    '/compile',
    {
      configuration: {
        $schema: 'x',
        name: 'x',
        description: '',
        sources: [{ name: 'n', source: 'k', type: 'hosts', transformations: ['TrimLines'], inclusions: ['a'] }],
        transformations: ['InsertFinalNewLine'],
        exclusions: ['/x/'],
      },
      preFetchedContent: { k: 'a.example' },
      benchmark: true,
      explain: true,
      format: 'rpz',
    },
  ],
  ['/compile', {}],
  ['/compile', { configuration: { name: '', sources: [{ source: '||a.example^' }] } }],
  ['/compile', { configuration: { name: 'x', sources: [] } }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^' }], transformations: ['Nope'] } }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^', unknown: 1 }] } }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^' }], license: null } }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^' }] }, benchmark: 'yes' }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: 'k' }] }, preFetchedContent: { k: 1 } }],
  ['/compile/batch', { requests: [] }],
  ['/compile/batch', { requests: [{ configuration: {} }] }],
  ['/compile', { configuration: { name: 'x', sources: [{ source: '||a.example^', type: null }] }, format: null }],
  ['/compile', { configuration: { name: null, sources: [{ source: '||a.example^' }] } }],
  ['/compile/batch', { requests: [{ id: 1, configuration: { name: 'x', sources: [{ source: '||a.example^' }] } }] }],
  ['/diff', { before: '', after: ['a'] }],
  ['/diff', { original: '', current: ['a'] }],
  ['/diff', { before: 1, after: '' }],
  ['/validate', { rules: ['a'], mode: 'ValidateAllowIp' }],
  ['/validate', { rules: ['a'], mode: 'Nope' }],
];

for (const [path, body] of bodies) {
  test(`the document and the service are of one mind on ${path} with ${JSON.stringify(body)}`, async () => {
    const { schema } = document.paths[path]!['post']!.requestBody!.content['application/json']!;
    const { status, text } = await postUnchecked(service, path, body);
    assert.equal(Compile(withComponents(schema)).Check(body), status === 200, text.slice(0, 300));
  });
}
