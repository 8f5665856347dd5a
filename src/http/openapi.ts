import type { TSchema } from 'typebox';
import { type ExampleValues, exampleOf } from './openapi-examples.ts';
import type { Answer, DescribedRoute } from './route.ts';

/** Schemas with this key become components of that name. */
export const COMPONENT = 'x-component';

type About = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Components that are not part of the schema of a route. */
  readonly components?: Readonly<Record<string, object>>;
  readonly securitySchemes?: Readonly<Record<string, object>>;
  /** Descriptions of the groups of routes, in their order. */
  readonly tags?: Readonly<Record<string, string>>;
  /** If present, bodies have examples with these values, by member name. */
  readonly exampleValues?: ExampleValues;
};

type Components = Record<string, unknown>;
type Example = (schema: unknown) => object;

// Errors need no examples, because their schema describes them.
const withoutExample: Example = () => ({});

/** The OpenAPI 3.1 document of these routes. It contains the schemas that validate requests. */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  { title, version, description, components, securitySchemes, tags, exampleValues }: About,
): object {
  const example = (schema: unknown): object => (exampleValues ? { example: exampleOf(schema, exampleValues) } : {});
  const names = new Set(routes.map(({ group }) => group));
  const paths: Record<string, Record<string, object>> = {};
  const schemas: Components = { ...components };
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas, example) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the URL of the document.
    servers: [{ url: '/', description: 'This server.' }],
    ...(tags && {
      tags: Object.entries(tags)
        .filter(([name]) => names.has(name))
        .map(([name, text]) => ({ name, description: text })),
    }),
    paths,
    components: { schemas, ...(securitySchemes && { securitySchemes }) },
  };
}

function operation(route: DescribedRoute, schemas: Components, example: Example): object {
  const { summary, description, group, params, query, headers, answers, aliases, method, path, security } = route;
  const also = aliases?.length ? `Also at ${aliases.join(', ')}.` : '';
  const fullDescription = [description, also].filter(Boolean).join(' ');
  const parameters = [
    ...parametersIn('path', params, schemas),
    ...parametersIn('query', query, schemas),
    ...parametersIn('header', headers, schemas),
  ];
  return {
    operationId: route.operationId ?? operationId(method, path),
    tags: [group],
    summary,
    ...(fullDescription !== '' && { description: fullDescription }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, schemas, example),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        response(answer, schemas, Number(status) < 300 ? example : withoutExample),
      ]),
    ),
    ...(security && { security: security.map((name) => ({ [name]: [] })) }),
  };
}

function requestBody(
  { body, bodyTypes = ['application/json'], bodyIsOptional }: DescribedRoute,
  schemas: Components,
  example: Example,
): object {
  if (!body) return {};
  const schema = referring(body, schemas);
  const content = Object.fromEntries(bodyTypes.map((type) => [type, { schema, ...example(body) }]));
  return { requestBody: { required: bodyIsOptional !== true, content } };
}

/** `POST /compile/batch` is `postCompileBatch`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[/:._-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

function parametersIn(
  location: 'path' | 'query' | 'header',
  schema: TSchema | undefined,
  schemas: Components,
): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: referring(property, schemas),
  }));
}

const response = ({ description, content, headers }: Answer, schemas: Components, example: Example): object => ({
  description,
  ...(headers && {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
    ),
  }),
  ...(content && {
    content: Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [
        type,
        { schema: referring(schema, schemas), ...example(schema) },
      ]),
    ),
  }),
});

/** Replaces named parts by references and adds them to the components. */
function referring(schema: unknown, schemas: Components): unknown {
  if (Array.isArray(schema)) return schema.map((part) => referring(part, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!(COMPONENT in schema)) return membersReferring(schema, schemas);
  const { [COMPONENT]: name, ...described } = schema as { [COMPONENT]: string };
  if (!Object.hasOwn(schemas, name)) schemas[name] = membersReferring(described, schemas);
  return { $ref: `#/components/schemas/${name}` };
}

const membersReferring = (schema: object, schemas: Components): object =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value, schemas)]));
