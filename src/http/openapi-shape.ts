// The parts of an OpenAPI 3.1 document that its page shows.

export type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type MediaType = {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

export type Content = Readonly<Record<string, MediaType>>;

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type Operation = {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly required?: boolean; readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
};

export type OpenApi = {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
    readonly license?: { readonly name: string };
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
};

/** An operation and where it stands. */
export type Placed = Operation & { readonly method: string; readonly path: string };

// A path has other members beside its operations.
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

export const operationsOf = ({ paths = {} }: OpenApi): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** By their first tag, in the order in which the document first names it. */
export const groupsOf = (operations: readonly Placed[]): Map<string, Placed[]> =>
  Map.groupBy(operations, ({ tags }) => tags?.[0] ?? 'Other');

/** `#/components/schemas/Configuration` is `Configuration`. */
export const nameOfReference = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
