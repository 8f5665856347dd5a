import { err } from '../kit/result.ts';
import { transact } from '../operations/transact.ts';
import type { Caller } from './authenticate.ts';
import type { Checked } from './check.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { Mutation, OperationInput } from './operation.ts';
import { isWithin } from './repair-body.ts';

/**
 * The errors of form together with those that only the operation finds, for example an unknown id. The operation runs with the
 * repaired body, and is rolled back whatever it returns.
 */
export async function withErrorsOfMeaning(
  { prepare, run, commitsErrors }: Mutation,
  input: OperationInput<never, never, never> & { readonly caller: Caller },
  deps: Deps,
  { formErrors: errors, doubtful }: Pick<Checked<unknown>, 'formErrors' | 'doubtful'>,
): Promise<ApiError> {
  if (prepare || commitsErrors || doubtful.includes('')) return { kind: 'invalid', errors };
  const tried = await transact(deps.store, async (store) => {
    const result = await run(store, input, deps, undefined as never);
    const meant = !result.ok && result.error.kind === 'invalid' ? result.error.errors : [];
    return err(meant);
  });
  const known = new Set(errors.map(({ field }) => field));
  const more = tried.ok ? [] : tried.error.filter(({ field }) => !known.has(field) && !isWithin(field, doubtful));
  return { kind: 'invalid', errors: [...errors, ...more] };
}
