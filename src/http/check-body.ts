import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { pointerSteps, readablePath } from '../kit/json-pointer.ts';
import { err, ok, type Result } from '../kit/result.ts';

export type BodyFault = { readonly path: string; readonly message: string };

/** An error with the missing fields, if that is the reason. */
export type SchemaFault = BodyFault & {
  readonly missing: readonly string[];
  /** A text of the right type that is too short or too long. */
  readonly isLength: boolean;
};

/** Validates values against a schema and returns all errors with paths such as `requests[2].id`. */
export function bodyCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, readonly BodyFault[]> {
  const check = schemaCheck(schema);
  return (value) => {
    const checked = check(value);
    return checked.ok ? checked : err(checked.error.map(({ path, message }) => ({ path, message })));
  };
}

export function schemaCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, readonly SchemaFault[]> {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? ok(value as Static<Schema>) : err(compiled.Errors(value).map(faultOf)));
}

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

function faultOf({ keyword, instancePath, message, params }: SchemaError): SchemaFault {
  const allowed = 'allowedValues' in params && Array.isArray(params.allowedValues) ? params.allowedValues : undefined;
  return {
    path: readablePath(pointerSteps(instancePath)),
    message: allowed ? `must be one of ${allowed.join(', ')}` : message,
    missing: 'requiredProperties' in params ? params.requiredProperties : [],
    isLength: keyword === 'minLength' || keyword === 'maxLength',
  };
}
