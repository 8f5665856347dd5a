import schema from '../../../docs/compiler-configuration.schema.json' with { type: 'json' };
import type { Configuration } from '../../../src/compiler/configuration.ts';

export type { Configuration, Source } from '../../../src/compiler/configuration.ts';

/** Node of the configuration's JSON schema, generated from the compiler's own validation table. */
export type SchemaNode = {
  readonly description?: string;
  readonly type?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
};

export const rootSchema: SchemaNode = schema;

type Transformation = NonNullable<Configuration['transformations']>[number];

/** In execution order. */
export const transformations = schema.properties.transformations.items.enum as readonly Transformation[];
export const isValidator = (name: Transformation): boolean => name.startsWith('Validate');
export const validators = transformations.filter(isValidator);

export const formats = ['adblock', 'hosts', 'domains', 'dnsmasq', 'unbound', 'rpz'] as const;
export type Format = (typeof formats)[number];
