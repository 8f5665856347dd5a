import Type, { type Static } from 'typebox';
import { isDomainName } from './domain-name.ts';
import { filterListCategories } from './filter-list.ts';
import { serviceGroups } from './web-services.ts';

// Schemas of the entries that an operator adds. Errors show the description as the expected value.

const text = Type.String({ pattern: '\\S', description: 'text' });

const webAddress = Type.Refine(Type.String({ description: 'an http or https address' }), (value) =>
  /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
);

const domainName = Type.Refine(
  Type.String({ description: 'a domain name in lower case such as "example.org"' }),
  isDomainName,
);

/** Ids are used in URLs, rules and the query log. */
const idOfAtMost = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.+-]*$',
    description: `up to ${maxLength} letters, digits or any of "_.+-", the first a letter or digit`,
  });

const language = Type.String({ pattern: '^[a-z]{2}$', description: 'a language of two letters such as "de"' });

// A path instead of an SVG: clients embed the icon in their page, so it must not contain anything but a path.
const icon = Type.String({
  pattern: '^[Mm][\\d\\s,.eE+MmZzLlHhVvCcSsQqTtAa\\-]*$',
  description: 'the path of a drawing 24 wide and 24 high',
});

const entry = { additionalProperties: false, description: 'an object' };

export const filterListEntry = Type.Object(
  {
    id: idOfAtMost(128),
    name: text,
    source: webAddress,
    description: Type.Optional(text),
    homepage: Type.Optional(webAddress),
    licence: Type.Optional(text),
    category: Type.Optional(Type.Enum(filterListCategories)),
    languages: Type.Optional(Type.Immutable(Type.Array(language, { description: 'a list' }))),
    problematic: Type.Optional(Type.Boolean({ description: 'true or false' })),
  },
  entry,
);

/** A filter list of the operator; missing fields get defaults. */
export type FilterListEntry = Readonly<Static<typeof filterListEntry>>;

export const webServiceEntry = Type.Object(
  {
    id: idOfAtMost(64),
    name: text,
    domains: Type.Immutable(Type.Array(domainName, { minItems: 1, description: 'a list' })),
    group: Type.Optional(Type.Enum(serviceGroups)),
    icon: Type.Optional(icon),
  },
  entry,
);

/** A web service of the operator. */
export type WebServiceEntry = Readonly<Static<typeof webServiceEntry>>;
