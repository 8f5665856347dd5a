import { type Configuration, isValidator, type Source, transformations } from './configuration.ts';

/** Fields of the simple form. */
export type Fields = {
  readonly name: string;
  /** URLs of lists, one per line. */
  readonly addresses: string;
  /** Rules, one per line. */
  readonly rules: string;
  /** Exclusions for all sources, one per line: rules or parts of rules. */
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

/** Configuration of the form; settings that the form does not show are kept. */
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
  const selected = transformations.filter((name) => fields.transformations.includes(name));
  return selected.length > 0 || before.transformations
    ? { ...configuration, transformations: selected }
    : configuration;
}

function sourcesOf({ addresses, rules }: Fields, before: Configuration): Source[] {
  const previous = new Map(before.sources.map((source) => [source.source.trim(), source]));
  const ruleSources =
    rules === fieldsOf(before).rules
      ? before.sources.filter((source) => !isAddress(source))
      : rules.trim() === ''
        ? []
        : [{ ...before.sources.find((source) => !isAddress(source)), source: rules }];
  return [...linesOf(addresses).map((source) => previous.get(source) ?? { source }), ...ruleSources];
}

/** Whether the configuration contains settings that the form does not show. */
export function hasHiddenFields(configuration: Configuration): boolean {
  const { name: _name, sources, exclusions: _exclusions, transformations: _transformations, ...rest } = configuration;
  return (
    Object.keys(rest).length > 0 ||
    sources.some((source) => Object.keys(source).length > 1) ||
    sources.filter((source) => !isAddress(source)).length > 1
  );
}

/** Validators exclude each other; other transformations are independent. */
export const withTransformation = (
  selected: Fields['transformations'],
  name: Fields['transformations'][number],
  isOn: boolean,
): Fields['transformations'] => [
  ...selected.filter((other) => other !== name && !(isOn && isValidator(name) && isValidator(other))),
  ...(isOn ? [name] : []),
];
