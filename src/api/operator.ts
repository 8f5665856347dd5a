import type { UserId } from '../domain/ids.ts';
import { becomesOperator, isReservedEmail } from '../domain/operator.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import type { Writing } from './store-deps.ts';

type Needs = Pick<Deps, 'store' | 'operator' | 'now'>;

/** Refuses every caller but the recorded operator. */
export async function operatorOnly(deps: Needs, caller: Caller): Promise<Result<undefined, Refusal>> {
  const isOperator =
    deps.operator !== 'nobody' && caller.role === 'owner' && (await recordedFor(deps, caller)) === caller.user;
  return isOperator
    ? ok(undefined)
    : err({ kind: 'forbidden', why: 'Only the operator of this installation may do this' });
}

async function recordedFor(deps: Needs, { email }: Caller): Promise<UserId | undefined> {
  const recorded = await deps.store.read.operators.find(deps.operator);
  // The command line may have created the user after the service started.
  if (recorded !== undefined || email !== deps.operator) return recorded;
  return deps.store.inTransaction((store) => recordOperator(store, deps));
}

/** The recorded operator. Records the user with the configured address if none is recorded yet. */
export async function recordOperator(
  store: Writing,
  { operator, now }: Pick<Needs, 'operator' | 'now'>,
): Promise<UserId | undefined> {
  const recorded = await store.operators.find(operator);
  if (recorded !== undefined) return recorded;
  const user = await store.users.byEmail(operator);
  if (!user || !becomesOperator(operator, user)) return undefined;
  await store.operators.record(operator, user.id, now());
  return user.id;
}

/** Whether the address is the operator's and refused to this member; undefined is a member that does not exist yet. */
export async function isReserved(
  store: Pick<Writing, 'operators'>,
  { operator }: Pick<Needs, 'operator'>,
  email: string,
  user: UserId | undefined,
): Promise<boolean> {
  if (email !== operator) return false;
  return isReservedEmail(operator, email, { recorded: await store.operators.find(operator), user });
}
