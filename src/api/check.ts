import type { Static, TSchema } from 'typebox';
import type { FieldFault, Problem } from '../domain/domain-error.ts';
import { type SchemaFault, schemaCheck } from '../http/check-body.ts';
import { err, type Result } from '../kit/result.ts';

// Somebody may send fifty thousand wrong rules; the first hundred say enough.
const MAX_FAULTS = 100;

/** A check by schema whose faults are named as the wire names fields. */
export function fieldCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Result<Static<Schema>, Problem> {
  const check = schemaCheck(schema);
  return (value) => {
    const checked = check(value);
    if (checked.ok) return checked;
    return err({ kind: 'invalid', faults: checked.error.flatMap(fieldFaults).slice(0, MAX_FAULTS) });
  };
}

function fieldFaults({ path, message, missing }: SchemaFault): FieldFault[] {
  if (missing.length === 0) return [{ field: path || 'body', kind: 'wrong value', message }];
  return missing.map((name) => ({
    field: path === '' ? name : `${path}.${name}`,
    kind: 'required',
    message: 'Field is required',
  }));
}
