import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { registerRoutes } from '../http/register-routes.ts';
import type { Route } from '../http/route.ts';
import { documentRoutes } from './document.ts';

const route: Route = {
  method: 'GET',
  path: '/api/v1/things/:thing_id',
  operationId: 'getThing',
  group: 'Devices',
  summary: 'Get a thing',
  security: ['AuthToken'],
  answers: { 200: { description: 'The thing.' } },
  run: (_request, reply) => reply.send(''),
};

test('the document of the routes is served in two versions, and the first at two paths', async () => {
  const server = Fastify();
  registerRoutes(server, documentRoutes([route], '1.11'));
  const documentAt = async (url: string) => {
    const { headers, payload } = await server.inject({ method: 'GET', url });
    assert.equal(headers['content-type'], 'application/json', url);
    return JSON.parse(payload);
  };
  const document = await documentAt('/swagger/openapi.json');
  assert.deepEqual(await documentAt('/static/swagger/openapi.json'), document);
  assert.match(document.openapi, /^3\.1/);
  assert.match((await documentAt('/swagger/openapi-3.0.json')).openapi, /^3\.0/);
  assert.deepEqual([document.info.title, document.info.version], ['Weir', '1.11']);
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['ApiKey', 'AuthToken']);
  assert.ok(document.tags.some(({ name }: { name: string }) => name === 'Devices'));
  const operation = document.paths['/api/v1/things/{thing_id}'].get;
  assert.deepEqual([operation.operationId, operation.tags], ['getThing', ['Devices']]);
});
