import { type TransformationName, transformationNames, validatorNames } from './pipeline.ts';

type Filters = {
  readonly transformations?: readonly TransformationName[];
  readonly exclusions?: readonly string[];
  readonly exclusions_sources?: readonly string[];
  readonly inclusions?: readonly string[];
  readonly inclusions_sources?: readonly string[];
};

export type Source = Filters & {
  readonly source: string;
  readonly name?: string;
  readonly type?: 'adblock' | 'hosts';
  readonly mirrors?: readonly string[];
};

export type Configuration = Filters & {
  readonly name: string;
  readonly description?: string;
  readonly homepage?: string;
  readonly license?: string;
  readonly version?: string;
  readonly sources: readonly Source[];
};

/** Type of a configuration member. Validation, error texts and the JSON schema are derived from it. */
export type Member =
  | { readonly kind: 'text'; readonly mayBeEmpty: boolean }
  | { readonly kind: 'one of'; readonly values: readonly string[] }
  | { readonly kind: 'transformations' }
  | { readonly kind: 'patterns' }
  | { readonly kind: 'texts' }
  | { readonly kind: 'sources' }
  | { readonly kind: 'anything' };

export type Members = Readonly<
  Record<string, { readonly member: Member; readonly required?: true; readonly about: string }>
>;

const filterMembers = {
  transformations: {
    member: { kind: 'transformations' },
    about: 'Transformations of the rules. They run in a fixed order.',
  },
  exclusions: {
    member: { kind: 'patterns' },
    about: 'Lines to drop: a substring, a pattern with * for the whole line, or /a regular expression/.',
  },
  exclusions_sources: { member: { kind: 'texts' }, about: 'Files or URLs with more exclusions, one per line.' },
  inclusions: { member: { kind: 'patterns' }, about: 'Lines to keep; all others are dropped.' },
  inclusions_sources: { member: { kind: 'texts' }, about: 'Files or URLs with more inclusions, one per line.' },
} as const satisfies Members;

const about = (text: string): Members[string] => ({ member: { kind: 'text', mayBeEmpty: true }, about: text });

export const configurationMembers: Members = {
  $schema: { member: { kind: 'anything' }, about: 'For editors; ignored.' },
  name: { member: { kind: 'text', mayBeEmpty: false }, required: true, about: 'The title of the list.' },
  description: about('Description of the list.'),
  homepage: about('Home page of the list.'),
  license: about('The licence of the list.'),
  version: about('The version of the list.'),
  sources: {
    member: { kind: 'sources' },
    required: true,
    about: 'The lists to compile, in the order in which they appear in the result.',
  },
  ...filterMembers,
} satisfies Readonly<Record<keyof Configuration | '$schema', Members[string]>>;

export const sourceMembers: Members = {
  source: {
    member: { kind: 'text', mayBeEmpty: false },
    required: true,
    about: 'A URL, a path (relative to the working directory), or rules themselves.',
  },
  name: { member: { kind: 'text', mayBeEmpty: false }, about: 'Name of the source in the result.' },
  type: {
    member: { kind: 'one of', values: ['adblock', 'hosts'] },
    about: 'Has no effect: the format is detected per line.',
  },
  mirrors: { member: { kind: 'texts' }, about: 'Mirrors, used in order if the source cannot be read.' },
  ...filterMembers,
} satisfies Readonly<Record<keyof Source, Members[string]>>;

export { type TransformationName, transformationNames, validatorNames };
