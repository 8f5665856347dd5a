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
  run: () => undefined,
};

test('a document says of each route what the route says of itself', () => {
  const about = { title: 'T', version: '1', description: 'D', components: { Item: { type: 'string' } } };
  assert.deepEqual(JSON.parse(JSON.stringify(openApiDocument([route, { ...route, method: 'GET' }], about))), {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: 'D', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
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
