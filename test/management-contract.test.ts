import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Document, DocumentOperation, Schema } from './support/conforms.ts';
import { startManagement } from './support/management.ts';
import { contractOperations } from './support/management-contract.ts';
import { contractOperations15, contractSchemas15 } from './support/management-contract-15.ts';
import { contractSchemas } from './support/management-contract-schemas.ts';

// In both versions of OpenAPI: generators read one or the other.
const documents = new Map<string, Document>();
before(async () => {
  const { ask } = await startManagement({ after });
  const { status, type, json } = await ask('GET', '/swagger/openapi.json');
  assert.deepEqual([status, type], [200, 'application/json']);
  assert.deepEqual((await ask('GET', '/static/swagger/openapi.json')).json, json);
  documents.set('3.1', json);
  documents.set('3.0', (await ask('GET', '/swagger/openapi-3.0.json')).json);
});

/** A test for each document. */
const testBoth = (name: string, check: (document: Document) => void): void => {
  for (const version of ['3.1', '3.0']) test(`OpenAPI ${version}: ${name}`, () => check(documents.get(version)!));
};

/** A schema in the notation of the table. */
function words(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.type === 'array') return `[${words(schema.items!)}]`;
  const kind = schema.enum?.join('|') ?? schema.format ?? schema.type!;
  const [from, to] = [schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum];
  return from === undefined && to === undefined ? kind : `${kind} ${from ?? ''}..${to ?? ''}`;
}

const find = (document: Document, operationId: string): [string, string, DocumentOperation] | undefined =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, DocumentOperation] => [
        method,
        path,
        operation,
      ]),
    )
    .find(([, , operation]) => operation.operationId === operationId);

testBoth('every published operation is there, with its path, parameters, bodies and statuses', (document) => {
  for (const [operationId, line] of [...Object.entries(contractOperations), ...Object.entries(contractOperations15)]) {
    const [method, path, operation] = find(document, operationId) ?? assert.fail(`there is no ${operationId}`);
    const said = [
      `${method.toUpperCase()} ${path}`,
      ...(operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, required }) => `?${name}${required ? '!' : ''}`),
      ...Object.entries(operation.requestBody?.content ?? {}).map(
        ([type, { schema }]) => `${type.includes('form') ? 'form' : 'takes'} ${words(schema)}`,
      ),
      ...Object.entries(operation.responses).map(([status, { content }]) =>
        content?.['application/json'] ? `${status} ${words(content['application/json'].schema)}` : status,
      ),
    ];
    // Statuses without a body may have one: clients that know of none do not look.
    const has = (part: string): boolean => said.includes(part) || said.some((other) => other.startsWith(`${part} `));
    assert.deepEqual(
      line.split('; ').filter((part) => !has(part)),
      [],
      `${operationId} lacks this; it says ${said.join('; ')}`,
    );
    const demanded = said.filter((part) => /^\?\w+!$/.test(part) && !line.includes(part));
    assert.deepEqual(demanded, [], `${operationId} demands more than is published`);
  }
});

testBoth('every published schema is there, with its fields, bounds and values', (document) => {
  for (const [name, published] of Object.entries(contractSchemas)) {
    const schema = document.components.schemas[name] ?? assert.fail(`there is no ${name}`);
    if (typeof published === 'string') {
      assert.deepEqual(schema.enum?.toSorted(), published.split('|').sort(), name);
      continue;
    }
    for (const [field, said] of Object.entries(published)) {
      const property = schema.properties?.[field] ?? assert.fail(`${name} has no ${field}`);
      // Ignores our limits for values that the published document does not limit.
      const own = words(property).replace(said.includes('..') ? /$^/ : / [\d.]*$/, '');
      assert.equal(own, said.replace('!', ''), `${name}.${field}`);
      const isRequired = [published, contractSchemas15[name]].some(
        (version) => typeof version === 'object' && version[field]?.endsWith('!'),
      );
      assert.equal(schema.required?.includes(field) ?? false, isRequired, `${name}.${field} is required`);
    }
  }
});

testBoth(
  'every schema of version 1.15 is there: responses have its required members, requests demand no others',
  (document) => {
    for (const [name, published] of Object.entries(contractSchemas15)) {
      const schema = document.components.schemas[name] ?? assert.fail(`there is no ${name}`);
      if (typeof published === 'string') {
        const values = published.split('|');
        assert.deepEqual(
          (schema.enum as string[]).filter((value) => !values.includes(value)),
          [],
          name,
        );
        continue;
      }
      const isRequest = /(Update|Create|Credentials)$/.test(name);
      for (const [field, said] of Object.entries(published)) {
        const property = schema.properties?.[field] ?? assert.fail(`${name} has no ${field}`);
        const own = words(property).replace(said.includes('..') ? /$^/ : / [\d.]*$/, '');
        assert.equal(own, said.replace('!', ''), `${name}.${field}`);
        const [ours, theirs] = [schema.required?.includes(field) ?? false, said.endsWith('!')];
        assert.ok(isRequest ? !ours || theirs : ours || !theirs, `${name}.${field} is required`);
      }
    }
  },
);

testBoth('no published schema demands a field that is not published', (document) => {
  for (const [name, published] of Object.entries(contractSchemas)) {
    if (typeof published === 'string') continue;
    // A member that version 1.15 adds to a response: clients of version 1.11 ignore it.
    const newer = name.endsWith('Update') || name.endsWith('Create') ? {} : (contractSchemas15[name] ?? {});
    // Version 1.15 can set the categories but not read them.
    const own = name === 'ParentalControlSettings' ? { blocked_filtering_categories: '' } : {};
    const known = { ...published, ...(newer as object), ...own };
    const more = (document.components.schemas[name]!.required ?? []).filter((field) => !(field in known));
    assert.deepEqual(more, [], name);
  }
});

testBoth('either an API key or a token is enough, where any is needed', (document) => {
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['ApiKey', 'AuthToken']);
  assert.deepEqual(find(document, 'listDevices')?.[2].security, [{ ApiKey: [] }, { AuthToken: [] }]);
  assert.deepEqual(find(document, 'accessToken')?.[2].security, []);
});

testBoth('every reference of the document leads somewhere, and every operation has a name of its own', (document) => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, name] of references) assert.ok(document.components.schemas[name!], name);
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
});
