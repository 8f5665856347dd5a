import { configurationMembers, type Members, sourceMembers } from '../compiler/configuration.ts';
import { isObject } from '../kit/is-object.ts';
import { CompileJobMembers } from './schemas.ts';

/** The request without optional members that are null: clients of typed languages send members that are not set as null. */
export function withoutNullMembers(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { configuration } = body;
  const rest = omitNulls(body, (name) => Object.hasOwn(CompileJobMembers.properties, name) && name !== 'configuration');
  if (!isObject(configuration)) return rest;
  const { sources } = configuration;
  return {
    ...rest,
    configuration: {
      ...omitNulls(configuration, isOptionalIn(configurationMembers)),
      ...(Array.isArray(sources) && { sources: sources.map(sourceWithoutNulls) }),
    },
  };
}

const sourceWithoutNulls = (source: unknown): unknown =>
  isObject(source) ? omitNulls(source, isOptionalIn(sourceMembers)) : source;

const isOptionalIn =
  (members: Members) =>
  (name: string): boolean =>
    Object.hasOwn(members, name) && !members[name]!.required;

const omitNulls = (
  object: Readonly<Record<string, unknown>>,
  isOptional: (name: string) => boolean,
): Readonly<Record<string, unknown>> =>
  Object.values(object).includes(null)
    ? Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || !isOptional(name)))
    : object;
