// Generates the types of the client library from the OpenAPI 3.1 document.
import { managementDocument } from '../src/api/document.ts';
import { operations } from '../src/api/operations.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
};
type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const HEAD = '// Made by scripts/generate.ts from the OpenAPI document; do not edit.\n';

export function clientTypesSource(): string {
  const { paths, components } = managementDocument(operations, '') as Document;
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationType(`${method.toUpperCase()} ${path}`, operation)),
  );
  return [
    HEAD,
    ...schemas,
    `/** Options and replies by method and path. */\nexport type Operations = {\n${entries.join('')}};\n`,
  ].join('\n');
}

/** Names of headers in the options. */
const headerOptions: Readonly<Record<string, string>> = { 'If-Match': 'ifMatch', 'Idempotency-Key': 'idempotencyKey' };

function operationType(name: string, { summary, parameters = [], requestBody, responses }: Operation): string {
  const within = (location: Parameter['in']): readonly Parameter[] =>
    parameters.filter((parameter) => parameter.in === location);
  const [path, query] = [within('path'), within('query')];
  const options = [
    ...(path.length > 0 ? [`params: ${parametersType(path)};`] : []),
    ...(query.length > 0 ? [`query${mark(query.some(({ required }) => required))}: ${parametersType(query)};`] : []),
    ...(requestBody ? [`body${mark(requestBody.required)}: ${bodyType(requestBody.content)};`] : []),
    ...within('header').map((header) => `${headerOptions[header.name]!}?: string | undefined;`),
  ];
  const lines = options.map((line) => `      ${line}\n`).join('');
  return `${comment(summary, '  ')}  '${name}': {
    options: ${lines === '' ? 'Record<never, never>' : `{\n${lines}    }`};
    reply: ${replyType(responses)};
  };
`;
}

const mark = (isRequired: boolean): string => (isRequired ? '' : '?');

/** Bodies other than JSON are files. */
const bodyType = (content: Content): string =>
  Object.keys(content).some((type) => type.includes('json') || type.includes('form'))
    ? typeOf(jsonOf(content), '      ')
    : 'Blob';

const jsonOf = (content: Content): Schema => content['application/json']!.schema;

function replyType(responses: Operation['responses']): string {
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 400)!;
  if (!success.content) return 'undefined';
  return 'application/json' in success.content ? typeOf(jsonOf(success.content), '    ') : 'Response';
}

/** An optional parameter may be undefined, so that callers can pass a filter that is not set. */
const parametersType = (parameters: readonly Parameter[]): string => {
  const lines = parameters.map(
    ({ name, required, schema, description }) =>
      `${comment(description, '        ')}        ${name}${mark(required)}: ${parameterType(schema)}${required ? '' : ' | undefined'};\n`,
  );
  return `{\n${lines.join('')}      }`;
};

/** Type of a parameter that may be repeated. */
const listParameterType = (item: string): string => `${item} | readonly ${arrayOf(item)}`;

const parameterType = (schema: Schema): string =>
  schema.type === 'array' ? listParameterType(typeOf(schema.items ?? {}, '')) : typeOf(schema, '        ');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const arrayOf = (type: string): string => (type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`);

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(schema: Schema, indent: string): string {
  const { $ref: reference, type = '', properties, patternProperties, anyOf, items } = schema;
  if (reference !== undefined) return reference.split('/').at(-1)!;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (anyOf) return union(anyOf.map((part) => typeOf(part, indent)));
  if (type === 'array') return arrayOf(typeOf(items ?? {}, indent));
  if (properties) return objectType(properties, schema.required ?? [], indent);
  if (patternProperties) return `Record<string, ${typeOf(Object.values(patternProperties)[0]!, indent)}>`;
  if (type === 'object') return 'Record<string, unknown>';
  return plainTypes[type] ?? 'unknown';
}

function objectType(properties: Readonly<Record<string, Schema>>, required: readonly string[], indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    return `${comment(member.description, inner)}${inner}${key}${mark(required.includes(name))}: ${typeOf(member, inner)};\n`;
  });
  return members.length === 0 ? 'Record<never, never>' : `{\n${members.join('')}${indent}}`;
}

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
