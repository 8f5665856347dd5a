import { isObject } from '../kit/is-object.ts';
import { configurationMembers, type Members, sourceMembers, validatorNames } from './configuration.ts';

type Lenient = { readonly configuration: unknown; readonly warnings: readonly string[] };

/**
 * Accepts configurations of older versions and other programs: drops unknown members, empty source names, and validators of
 * sources if the whole list is validated, each with a warning.
 */
export function lenientConfiguration(value: unknown): Lenient {
  if (!isObject(value)) return { configuration: value, warnings: [] };
  const warnings: string[] = [];
  const { sources, transformations } = value;
  const top = validatorOf(transformations);
  const lenientSource = (source: unknown, at: number): unknown => {
    if (!isObject(source)) return source;
    const known = withoutUnknown(source, `sources[${at}].`, sourceMembers, warnings);
    return withoutValidator(withoutEmptyName(known, at, warnings), top, at, warnings);
  };
  const configuration = {
    ...withoutUnknown(value, '', configurationMembers, warnings),
    ...(Array.isArray(sources) && { sources: sources.map(lenientSource) }),
  };
  return { configuration, warnings };
}

type Level = Readonly<Record<string, unknown>>;

function withoutUnknown(level: Level, path: string, members: Members, warnings: string[]): Level {
  const isKnown = (name: string): boolean => Object.hasOwn(members, name);
  for (const name of Object.keys(level))
    if (!isKnown(name)) warnings.push(`${path}${name} is not known and is ignored`);
  return Object.fromEntries(Object.entries(level).filter(([name]) => isKnown(name)));
}

function withoutEmptyName(source: Level, at: number, warnings: string[]): Level {
  if (source['name'] !== '') return source;
  warnings.push(`sources[${at}].name is empty and is ignored`);
  const { name: _, ...rest } = source;
  return rest;
}

function withoutValidator(source: Level, top: string | undefined, at: number, warnings: string[]): Level {
  const { transformations } = source;
  const validator = validatorOf(transformations);
  if (top === undefined || validator === undefined || !Array.isArray(transformations)) return source;
  warnings.push(
    `sources[${at}].transformations: ${validator} is ignored, because the whole list is validated by ${top}`,
  );
  return { ...source, transformations: transformations.filter((name) => !isValidator(name)) };
}

const isValidator = (name: unknown): boolean => (validatorNames as readonly unknown[]).includes(name);

const validatorOf = (names: unknown): string | undefined =>
  Array.isArray(names) ? validatorNames.find((name) => names.includes(name)) : undefined;
