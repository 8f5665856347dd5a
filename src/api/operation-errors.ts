import type { FieldError } from '../domain/domain-error.ts';
import { err } from '../kit/result.ts';
import { transact } from '../operations/transact.ts';
import type { Caller } from './authenticate.ts';
import type { Checked } from './check.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { Mutation, OperationInput } from './operation.ts';
import { isWithin } from './repair-body.ts';

/**
 * Schema errors together with errors that only the operation finds, such as an unknown id. The operation runs with the repaired body and
 * its alternatives, and is always rolled back. Errors that do not occur with all of them depend on an invalid member and are not reported.
 */
export async function withOperationErrors(
  { prepare, run, commitsErrors }: Mutation,
  input: OperationInput<never, never, never> & { readonly caller: Caller },
  deps: Deps,
  {
    schemaErrors: errors,
    uncertainPaths,
    alternatives,
  }: Pick<Checked<unknown>, 'schemaErrors' | 'uncertainPaths' | 'alternatives'>,
): Promise<ApiError> {
  if (prepare || commitsErrors || uncertainPaths.includes('')) return { kind: 'invalid', errors };
  const errorsWith = async (body: unknown): Promise<readonly FieldError[]> => {
    const tried = await transact(deps.store, async (store) => {
      const result = await run(store, { ...input, body: body as never }, deps, undefined as never);
      return err(!result.ok && result.error.kind === 'invalid' ? result.error.errors : []);
    });
    return tried.ok ? [] : tried.error;
  };
  const reportedFields = new Set(errors.map(({ field }) => field));
  const found = await errorsWith(input.body);
  let more = found.filter(({ field }) => !reportedFields.has(field) && !isWithin(field, uncertainPaths));
  for (const body of alternatives) {
    if (more.length === 0) break;
    const others = await errorsWith(body);
    more = more.filter(({ field, message }) =>
      others.some((other) => other.field === field && other.message === message),
    );
  }
  return { kind: 'invalid', errors: [...errors, ...more] };
}
