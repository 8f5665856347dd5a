import type { UserId } from '../domain/ids.ts';
import { becomesOperator, isReservedEmail, type OperatorSetting } from '../domain/operator.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Clock } from './deps.ts';

type Setting = { readonly operator: OperatorSetting };

/** In a transaction: the recorded operator. Records the user with the configured address if none is recorded yet. */
export async function recordOperator(tx: Transaction, { operator, now }: Setting & Clock): Promise<UserId | undefined> {
  const recorded = await tx.operators.find(operator);
  if (recorded !== undefined) return recorded;
  const user = await tx.users.byEmail(operator);
  if (!user || !becomesOperator(operator, user)) return undefined;
  await tx.operators.record(operator, user.id, now());
  return user.id;
}

/** Whether the address is the operator's and refused to this member; undefined is a member that does not exist yet. */
export async function isReserved(
  tx: Pick<Transaction, 'operators'>,
  { operator }: Setting,
  email: string,
  user: UserId | undefined,
): Promise<boolean> {
  if (email !== operator) return false;
  return isReservedEmail(operator, email, { recorded: await tx.operators.find(operator), user });
}
