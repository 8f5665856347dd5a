import type { UserId } from '../domain/ids.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { recordOperator } from '../operations/operator.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

type Needs = Pick<Deps, 'store' | 'operator' | 'now'>;

/** Allows only the recorded operator. */
export async function operatorOnly(deps: Needs, caller: Caller): Promise<Result<undefined, ApiError>> {
  const isOperator =
    deps.operator !== 'nobody' && caller.role === 'owner' && (await recordedFor(deps, caller)) === caller.user;
  return isOperator
    ? ok(undefined)
    : err({ kind: 'forbidden', why: 'Only the operator of this installation may do this' });
}

async function recordedFor(deps: Needs, { email }: Caller): Promise<UserId | undefined> {
  const recorded = await deps.store.read.operators.find(deps.operator);
  // Recorded here, because the command line may have created the user after the service started.
  if (recorded !== undefined || email !== deps.operator) return recorded;
  return deps.store.inTransaction((store) => recordOperator(store, deps));
}
