import type { Static, TSchema } from 'typebox';
import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { type SchemaFault, schemaCheck } from '../http/check-body.ts';
import { err, type Result } from '../kit/result.ts';

// Limits the response to a request with thousands of invalid rules.
const MAX_ERRORS = 100;

/** Validates against a schema; errors use the field names of the wire. */
export function fieldCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, DomainError> {
  const check = schemaCheck(schema);
  return (value) => {
    const checked = check(value);
    if (checked.ok) return checked;
    return err({ kind: 'invalid', errors: checked.error.flatMap(fieldFaults).slice(0, MAX_ERRORS) });
  };
}

function fieldFaults({ path, message, missing }: SchemaFault): FieldError[] {
  if (missing.length === 0) return [{ field: path || 'body', kind: 'wrong value', message }];
  return missing.map((name) => ({
    field: path === '' ? name : `${path}.${name}`,
    kind: 'required',
    message: 'Field is required',
  }));
}
