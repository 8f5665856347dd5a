import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { COMPONENT, openApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

const route: Route = {
  method: 'POST',
  path: '/lists/:id/items',
  aliases: ['/api/lists/:id/items'],
  group: 'Lists',
  summary: 'Add an item',
  params: Type.Object({ id: Type.String({ description: 'Which list.' }) }),
  query: Type.Object({ dry: Type.Optional(Type.Boolean()) }),
  body: Type.Object({ item: Type.Unknown({ [COMPONENT]: 'Item' }) }),
  answers: {
    200: { description: 'Done.', content: { 'application/json': Type.Array(Type.String()) } },
    404: { description: 'None.' },
  },
  run: () => Promise.resolve(),
};

test('a document describes each route with the data of the route', () => {
  const about = { title: 'T', version: '1', description: 'D', components: { Item: { type: 'string' } } };
  assert.deepEqual(JSON.parse(JSON.stringify(openApiDocument([route, { ...route, method: 'GET' }], about))), {
    openapi: '3.1.0',
    info: {
      title: 'T',
      version: '1',
      description: 'D',
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    paths: {
      '/lists/{id}/items': {
        post: operation('postListsIdItems'),
        get: operation('getListsIdItems'),
      },
    },
    components: { schemas: { Item: { type: 'string' } } },
  });
});

const operation = (operationId: string): object => ({
  operationId,
  tags: ['Lists'],
  summary: 'Add an item',
  description: 'Also at /api/lists/:id/items.',
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'Which list.', schema: { type: 'string' } },
    { name: 'dry', in: 'query', required: false, schema: { type: 'boolean' } },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: ['item'], properties: { item: { $ref: '#/components/schemas/Item' } } },
      },
    },
  },
  responses: {
    200: {
      description: 'Done.',
      content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
    },
    404: { description: 'None.' },
  },
});

test('a named schema is defined once and referenced everywhere', () => {
  const Colour = Type.Enum(['red', 'blue'], { [COMPONENT]: 'Colour' });
  const Item = Type.Object({ colour: Colour }, { [COMPONENT]: 'Item' });
  const named: Route = {
    ...route,
    operationId: 'addItem',
    query: Type.Object({ colours: Type.Array(Colour) }),
    body: Item,
    bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
    bodyIsOptional: true,
    security: ['Key', 'Token'],
    answers: { 200: { description: 'Done.', content: { 'application/json': Type.Array(Item) } } },
  };
  const schemes = { Key: { type: 'http' } };
  const about = { title: 'T', version: '1', description: 'D', components: {}, securitySchemes: schemes };
  const document = JSON.parse(JSON.stringify(openApiDocument([named], about)));
  const item = { $ref: '#/components/schemas/Item' };
  assert.deepEqual(document.components, {
    schemas: {
      Colour: { enum: ['red', 'blue'] },
      Item: { type: 'object', required: ['colour'], properties: { colour: { $ref: '#/components/schemas/Colour' } } },
    },
    securitySchemes: schemes,
  });
  const operation = document.paths['/lists/{id}/items'].post;
  assert.equal(operation.operationId, 'addItem');
  assert.deepEqual(operation.security, [{ Key: [] }, { Token: [] }]);
  assert.deepEqual(operation.parameters[1].schema.items, { $ref: '#/components/schemas/Colour' });
  assert.deepEqual(operation.requestBody, {
    required: false,
    content: { 'application/x-www-form-urlencoded': { schema: item }, 'application/json': { schema: item } },
  });
  assert.deepEqual(operation.responses[200].content['application/json'].schema, { type: 'array', items: item });
});

test('a route without authentication is marked', () => {
  const about = { title: 'T', version: '1', description: 'D', components: {} };
  const document = JSON.parse(JSON.stringify(openApiDocument([{ ...route, security: [] }], about)));
  assert.deepEqual(document.paths['/lists/{id}/items'].post.security, []);
});
