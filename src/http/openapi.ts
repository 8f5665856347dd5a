import type { TSchema } from 'typebox';
import type { Answer, Route } from './route.ts';

/** Where a schema carries this, the document refers to the component of that name. */
export const COMPONENT = 'x-component';

type About = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly components: Readonly<Record<string, object>>;
};

/** The OpenAPI 3.1 document of these routes: the schemas in it are those that check requests. */
export function openApiDocument(routes: readonly Route[], { title, version, description, components }: About): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: { schemas: components },
  };
}

function operation({
  summary,
  description,
  group,
  params,
  query,
  body,
  answers,
  aliases,
  method,
  path,
}: Route): object {
  const also = aliases?.length ? `Also at ${aliases.join(', ')}.` : '';
  const whole = [description, also].filter(Boolean).join(' ');
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  return {
    operationId: operationId(method, path),
    tags: [group],
    summary,
    ...(whole !== '' && { description: whole }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: referring(body) } } } }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
  };
}

/** `POST /compile/batch` is `postCompileBatch`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[/:._-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

const response = ({ description, content }: Answer): object => ({
  description,
  ...(content && {
    content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: referring(schema) }])),
  }),
});

function referring(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (COMPONENT in schema) return { $ref: `#/components/schemas/${schema[COMPONENT] as string}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]));
}
