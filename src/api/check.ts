import type { Static, TSchema } from 'typebox';
import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { type SchemaFault, schemaCheck } from '../http/check-body.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type Repaired, repairBody } from './repair-body.ts';

// Limits the response to a request with thousands of invalid rules.
const MAX_ERRORS = 100;

/** A value with the right types. After schema errors it is a repaired value, which is only used to find further errors. */
export type Checked<T> = {
  readonly value: T;
  readonly alternatives: Repaired['alternatives'];
  readonly schemaErrors: readonly FieldError[];
  readonly uncertainPaths: Repaired['uncertainPaths'];
};

/** Validates against a schema; errors use the field names of the wire. */
export function fieldCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, DomainError> {
  const check = repairingCheck(schema);
  return (value) => {
    const checked = check(value);
    if (!checked.ok) return checked;
    const { schemaErrors: errors } = checked.value;
    return errors.length === 0 ? ok(checked.value.value) : err({ kind: 'invalid', errors });
  };
}

/** Also returns a repaired value with the errors, if the value can be repaired. */
export function repairingCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Checked<Static<Schema>>, DomainError> {
  const check = schemaCheck(schema);
  return (value) => {
    const checked = check(value);
    if (checked.ok) return ok({ value: checked.value, alternatives: [], schemaErrors: [], uncertainPaths: [] });
    const schemaErrors = checked.error.flatMap(fieldFaults).slice(0, MAX_ERRORS);
    const { value: repaired, ...search } = repairBody(schema, value, checked.error);
    const again = check(repaired);
    // The validator does not report all errors of a body with many.
    const isTyped = again.ok || again.error.every(({ isLength }) => isLength);
    return isTyped
      ? ok({ value: repaired as Static<Schema>, schemaErrors, ...search })
      : err({ kind: 'invalid', errors: schemaErrors });
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
