import type { Static, TSchema } from 'typebox';
import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { type SchemaFault, schemaCheck } from '../http/check-body.ts';
import { err, ok, type Result } from '../kit/result.ts';

// Limits the response to a request with thousands of invalid rules.
const MAX_ERRORS = 100;

/** Errors of a value whose types are right: only texts are too short or too long. */
type Checked<T> = { readonly value: T; readonly lengthErrors: readonly FieldError[] };

/** Validates against a schema; errors use the field names of the wire. */
export function fieldCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, DomainError> {
  const check = lengthCheck(schema);
  return (value) => {
    const checked = check(value);
    if (!checked.ok) return checked;
    const { lengthErrors: errors } = checked.value;
    return errors.length === 0 ? ok(checked.value.value) : err({ kind: 'invalid', errors });
  };
}

/** The same, but returns a value with texts of a wrong length together with its errors. */
export function lengthCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Checked<Static<Schema>>, DomainError> {
  const check = schemaCheck(schema);
  return (value) => {
    const checked = check(value);
    if (checked.ok) return ok({ value: checked.value, lengthErrors: [] });
    const errors = checked.error.flatMap(fieldFaults).slice(0, MAX_ERRORS);
    const isTyped = checked.error.every(({ isLength }) => isLength);
    return isTyped ? ok({ value: value as Static<Schema>, lengthErrors: errors }) : err({ kind: 'invalid', errors });
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
