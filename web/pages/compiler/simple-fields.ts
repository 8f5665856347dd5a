import { type Configuration, isValidator, type Source, transformations } from './configuration.ts';

/** What the simple form asks for. */
export type Fields = {
  readonly name: string;
  /** Addresses of lists, one a line. */
  readonly addresses: string;
  /** Rules themselves, one a line. */
  readonly rules: string;
  /** What is taken out of all of them: rules, or a part of one, one a line. */
  readonly exclusions: string;
  readonly transformations: NonNullable<Configuration['transformations']>;
};

const isAddress = ({ source }: Source): boolean => /^https?:\/\/\S+$/i.test(source.trim());

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const fieldsOf = ({ name, sources, exclusions = [], transformations = [] }: Configuration): Fields => ({
  name,
  addresses: sources
    .filter(isAddress)
    .map(({ source }) => source.trim())
    .join('\n'),
  rules: sources
    .filter((source) => !isAddress(source))
    .map(({ source }) => source.replace(/\n$/, ''))
    .join('\n'),
  exclusions: exclusions.join('\n'),
  transformations,
});

/** The configuration that the form stands for. What the form does not show stays as it was. */
export function configurationOf(fields: Fields, before: Configuration): Configuration {
  const shown = fieldsOf(before);
  const isSame = shown.addresses === linesOf(fields.addresses).join('\n') && shown.rules === fields.rules;
  const sources = isSame ? before.sources : sourcesOf(fields, before);
  const exclusions = linesOf(fields.exclusions);
  const configuration = {
    ...before,
    name: fields.name,
    sources,
    ...((exclusions.length > 0 || before.exclusions) && { exclusions }),
  };
  const wanted = transformations.filter((name) => fields.transformations.includes(name));
  return wanted.length > 0 || before.transformations ? { ...configuration, transformations: wanted } : configuration;
}

function sourcesOf({ addresses, rules }: Fields, before: Configuration): Source[] {
  const known = new Map(before.sources.map((source) => [source.source.trim(), source]));
  const own =
    rules === fieldsOf(before).rules
      ? before.sources.filter((source) => !isAddress(source))
      : rules.trim() === ''
        ? []
        : [{ ...before.sources.find((source) => !isAddress(source)), source: rules }];
  return [...linesOf(addresses).map((source) => known.get(source) ?? { source }), ...own];
}

/** Whether there is more in it than the form shows. */
export function hasMore(configuration: Configuration): boolean {
  const { name: _name, sources, exclusions: _exclusions, transformations: _transformations, ...rest } = configuration;
  return (
    Object.keys(rest).length > 0 ||
    sources.some((source) => Object.keys(source).length > 1) ||
    sources.filter((source) => !isAddress(source)).length > 1
  );
}

/** One validator at a time; anything else is on or off. */
export const withTransformation = (
  chosen: Fields['transformations'],
  name: Fields['transformations'][number],
  isOn: boolean,
): Fields['transformations'] => [
  ...chosen.filter((other) => other !== name && !(isOn && isValidator(name) && isValidator(other))),
  ...(isOn ? [name] : []),
];
