import Type, { type TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { err, ok, type Result } from '../kit/result.ts';
import type { Kind, Setting } from './setting-kinds.ts';
import type { RawValue } from './settings-sources.ts';
import { defaultTexts, type SettingKey, settingsTable } from './settings-table.ts';

/** The value of a setting; the error has one problem per invalid text, with its location. */
export function readValues(
  values: readonly RawValue[],
  kind: Kind,
  folder: string,
): Result<unknown, readonly string[]> {
  const read = values.map(({ text, location }) => {
    const result = readSetting(kind, text, folder);
    return result.ok ? result : err(`${location}: ${JSON.stringify(withoutPassword(text))} ${result.error}`);
  });
  const problems = read.flatMap((result) => (result.ok ? [] : [result.error]));
  if (problems.length > 0) return err(problems);
  const members = read.flatMap((result) => (result.ok ? [result.value] : []));
  return ok(kind.many ? members : members[0]);
}

/** Hides passwords, because the value may be reported. */
const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/\s]*:).*@/, '$1***@');

/** Defaults are checked by a test, not here, where it would take 12 ms of every start. */
export function readDefault(key: SettingKey, folder: string): unknown {
  const { kind, default: text }: Setting = settingsTable[key];
  if (text === undefined) return undefined;
  const members = defaultTexts(key).map((each) => decode(kind, asInFile(kind, each), folder));
  return kind.many ? members : members[0];
}

/** Checks a text by the schema of a setting, and decodes it. The error continues a sentence that starts with the text. */
export function readSetting(kind: Kind, text: string, folder: string): Result<unknown, string> {
  const rawValue = asInFile(kind, text);
  const [isValid, [first]] = Errors(schemaOf(kind), rawValue);
  return isValid ? ok(decode(kind, rawValue, folder)) : err(problemOf(first, kind));
}

function decode(kind: Kind, rawValue: string | number, folder: string): unknown {
  const schema = schemaOf(kind);
  const value = Type.IsCodec(schema) ? schema['~codec'].decode(rawValue) : rawValue;
  return kind.inFolder && typeof value === 'string' ? kind.inFolder(value, folder) : value;
}

const schemas = new WeakMap<Kind, TSchema>();

export function schemaOf(kind: Kind): TSchema {
  const schema = schemas.get(kind) ?? kind.schema(Type);
  schemas.set(kind, schema);
  return schema;
}

/** Flags and variables are strings; files also contain numbers. */
function asInFile(kind: Kind, text: string): string | number {
  const { formerValues = {} } = kind;
  if (Type.IsInteger(schemaOf(kind)) && /^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return Object.hasOwn(formerValues, text) ? formerValues[text]! : text;
}

type SchemaError = ReturnType<typeof Errors>[1][number];

function problemOf(error: SchemaError | undefined, { problem }: Kind): string {
  if (error?.keyword === 'minimum') return `is less than ${error.params.limit}`;
  if (error?.keyword === 'maximum') return `is more than ${error.params.limit}`;
  return (error?.keyword === '~refine' && error.params.message) || problem;
}
