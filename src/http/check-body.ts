import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { err, ok, type Result } from '../kit/result.ts';

export type BodyFault = { readonly path: string; readonly message: string };

/** A check of values against a schema that tells every fault, with its place written as in code: `requests[2].id`. */
export function bodyCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, readonly BodyFault[]> {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? ok(value as Static<Schema>) : err(compiled.Errors(value).map(faultOf)));
}

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

function faultOf({ instancePath, message, params }: SchemaError): BodyFault {
  const allowed = 'allowedValues' in params && Array.isArray(params.allowedValues) ? params.allowedValues : undefined;
  return { path: readable(instancePath), message: allowed ? `must be one of ${allowed.join(', ')}` : message };
}

/** From a JSON pointer. */
const readable = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
