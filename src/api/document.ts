import { openApiDocument } from '../http/openapi.ts';
import type { Route } from '../http/route.ts';
import { RegularDnsProtoType, SecureDnsProtoType } from './wire/query-log.ts';

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `ApiKey`, a space and the key.',
  },
  AuthToken: { type: 'http', scheme: 'bearer', description: 'An access token.' },
};

/** The document of these routes, and the route that serves it. */
export function documentRoutes(routes: readonly Route[], version: string): Route[] {
  const document = openApiDocument(routes, {
    title: 'Weir',
    version,
    description:
      'Management of DNS filtering: accounts, DNS servers, devices, query log and statistics. Below `/oapi` it speaks as clients of AdGuard DNS 1.11 know it.',
    components: { RegularDnsProtoType, SecureDnsProtoType },
    securitySchemes,
  });
  const text = Buffer.from(JSON.stringify(document));
  return [
    {
      method: 'GET',
      path: '/swagger/openapi.json',
      aliases: ['/static/swagger/openapi.json'],
      group: 'Service',
      summary: 'This document',
      security: [],
      answers: { 200: { description: 'OpenAPI 3.1.' } },
      run: (_request, reply) => reply.header('content-type', 'application/json').send(text),
    },
  ];
}
