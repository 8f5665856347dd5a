import { openApiDocument } from '../http/openapi.ts';
import { toOpenApi30 } from '../http/openapi-30.ts';
import type { DescribedRoute, Route } from '../http/route.ts';
import { exampleValues, tags } from './document-texts.ts';

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The API key, alone or after `ApiKey` or `Bearer` and a space.',
  },
  AuthToken: { type: 'http', scheme: 'bearer', description: 'Access token.' },
};

/** The OpenAPI 3.1 document of these routes. */
export const managementDocument = (routes: readonly DescribedRoute[], version: string): object =>
  openApiDocument(routes, {
    title: 'Weir',
    version,
    description:
      'Management of DNS filtering: accounts, DNS servers, devices, query log and statistics. Paths below `/oapi` are compatible with AdGuard DNS API 1.11 and 1.15.',
    securitySchemes,
    tags,
    exampleValues,
  });

/** The routes that serve the document of these routes. */
export function documentRoutes(routes: readonly Route[], version: string): Route[] {
  const document = managementDocument(routes, version);
  const served =
    (text: Buffer): Route['run'] =>
    (_request, reply) =>
      reply.header('content-type', 'application/json').send(text);
  return [
    {
      method: 'GET',
      path: '/swagger/openapi.json',
      aliases: ['/static/swagger/openapi.json'],
      group: 'Service',
      summary: 'OpenAPI document',
      security: [],
      answers: { 200: { description: 'OpenAPI 3.1.' } },
      run: served(Buffer.from(JSON.stringify(document))),
    },
    {
      method: 'GET',
      path: '/swagger/openapi-3.0.json',
      group: 'Service',
      summary: 'OpenAPI document for generators that do not read version 3.1',
      security: [],
      answers: { 200: { description: 'OpenAPI 3.0.' } },
      run: served(Buffer.from(JSON.stringify(toOpenApi30(document)))),
    },
  ];
}
