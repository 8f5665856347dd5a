import schema from '../../../docs/compiler-configuration.schema.json' with { type: 'json' };
import type { Configuration } from '../../../src/compiler/configuration.ts';

export type { Configuration, Source } from '../../../src/compiler/configuration.ts';

/** What the schema says of one place of a configuration; the compiler makes it from the table that it checks with. */
export type Place = {
  readonly description?: string;
  readonly type?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Place>>;
  readonly items?: Place;
};

export const wholePlace: Place = schema;

type Transformation = NonNullable<Configuration['transformations']>[number];

/** In the order they run in. */
export const transformations = schema.properties.transformations.items.enum as readonly Transformation[];
export const isValidator = (name: Transformation): boolean => name.startsWith('Validate');

export const formats = ['adblock', 'hosts', 'domains', 'dnsmasq', 'unbound', 'rpz'] as const;
export type Format = (typeof formats)[number];
