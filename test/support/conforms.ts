import assert from 'node:assert/strict';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
export type DocumentOperation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: readonly object[];
};
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object };
};

type Told = { readonly status: number; readonly type: string | null; readonly json: unknown; readonly text: string };

// Statuses that any operation may return without listing them.
const ANYWHERE = [405, 413, 415];

/** Fails unless the document has this answer, with every member of its body and no others. */
export function assertConforms(document: Document, method: string, path: string, told: Told): void {
  const operation = operationAt(document, method.toLowerCase(), path.split('?', 1)[0]!);
  if (!operation) return;
  const response = operation.responses[told.status];
  if (!response && ANYWHERE.includes(told.status)) return;
  assert.ok(
    response,
    `${operation.operationId} answered ${told.status}, which the document does not have: ${told.text}`,
  );
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return;
  assert.equal(told.type, 'application/json', operation.operationId);
  assert.deepEqual(faultsIn(document, schema, told.json, operation.operationId), []);
}

function operationAt({ paths }: Document, method: string, path: string): DocumentOperation | undefined {
  const fits = (template: string): boolean => {
    const [wanted, given] = [template.split('/'), path.split('/')];
    return wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at]);
  };
  // A path without parameters comes before one with.
  const [found] = Object.keys(paths)
    .filter(fits)
    .sort((one, other) => one.split('{').length - other.split('{').length);
  return found === undefined ? undefined : paths[found]![method];
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isSafeInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function faultsIn(document: Document, schema: Schema, value: unknown, at: string): string[] {
  if (schema.$ref !== undefined)
    return faultsIn(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!, value, at);
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${JSON.stringify(value)}`];
  if (schema.type !== undefined && !kinds[schema.type]!(value)) return [`${at} is no ${schema.type}`];
  if (schema.format === 'int32' && Math.abs(value as number) > 2 ** 31) return [`${at} is too large`];
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value as string))) return [`${at} is no time`];
  if (schema.items)
    return (value as unknown[]).flatMap((item, index) => faultsIn(document, schema.items!, item, `${at}[${index}]`));
  if (!schema.properties) return [];
  const members = value as Record<string, unknown>;
  return [
    ...(schema.required ?? []).filter((name) => members[name] === undefined).map((name) => `${at} lacks ${name}`),
    ...Object.entries(members).flatMap(([name, member]) => {
      const property = schema.properties![name];
      if (property) return faultsIn(document, property, member, `${at}.${name}`);
      return schema.additionalProperties ? [] : [`${at} has ${name}`];
    }),
  ];
}
