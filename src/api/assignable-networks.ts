import type { AssignableNetworks } from '../domain/client-networks.ts';
import { privateRule } from '../domain/linked-address.ts';
import type { StoreReader } from '../domain/repositories.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';

type Reads = Pick<StoreReader, 'accounts' | 'operators'>;

/**
 * Private networks are shared by all tenants. With several accounts, only the operator may assign them, forward queries into them, or
 * identify clients there.
 */
export async function assignableTo(
  store: Reads,
  deps: Pick<Deps, 'operator' | 'linkPrivateAddress'>,
  { role, user }: Pick<Caller, 'role' | 'user'>,
): Promise<AssignableNetworks> {
  const isOperator =
    deps.operator !== 'nobody' && role === 'owner' && (await store.operators.find(deps.operator)) === user;
  if (isOperator) return 'any';
  return privateRule(deps.linkPrivateAddress, await store.accounts.count()) === 'at once' ? 'private' : 'none';
}
