import { type ForwardRule, forwardRulesOf } from '../domain/forward-rules.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import { type LinkPrivateAddress, privateRule } from '../domain/linked-address.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import type { OperatorSetting } from '../domain/operator.ts';
import type { StoreReader } from '../domain/repositories.ts';
import type { Transactions } from './deps.ts';

type ClientSettings = {
  readonly operator: OperatorSetting;
  readonly linkPrivateAddress: LinkPrivateAddress;
};
type NetworkClientDeps = Transactions & ClientSettings;

type Update = (clients: readonly NetworkClient[]) => {
  readonly changed: readonly NetworkClient[];
  readonly removed: readonly string[];
};

/** Changes the network clients of an account that may have them; clients of other accounts are not stored. */
export const updateNetworkClients = (deps: NetworkClientDeps, account: AccountId, update: Update): Promise<void> =>
  deps.store.inTransaction(async (tx) => {
    if (!(await tx.accounts.find(account)) || !(await mayHaveClients(tx, deps, account))) return;
    const { changed, removed } = update(await tx.networkClients.list(account));
    await tx.networkClients.remove(account, removed);
    await tx.networkClients.put(changed);
  });

/**
 * Forwarding rules of the account for the queries of a client. Names of hosts are shared by all tenants, so
 * only the rules of an account that may have network clients choose where they are looked up.
 */
export async function rulesForClient(
  store: StoreReader,
  settings: ClientSettings,
  { account, profile }: { readonly account: AccountId; readonly profile: ProfileId | undefined },
): Promise<readonly ForwardRule[]> {
  if (!(await mayHaveClients(store, settings, account))) return [];
  return forwardRulesOf(await store.forwardRules.list(account), profile);
}

/** Private networks are shared by all tenants, so with several accounts they belong to the operator. */
async function mayHaveClients(
  store: Pick<StoreReader, 'accounts' | 'operators' | 'users'>,
  { operator, linkPrivateAddress }: ClientSettings,
  account: AccountId,
): Promise<boolean> {
  if (privateRule(linkPrivateAddress, await store.accounts.count()) === 'at once') return true;
  const user = operator === 'nobody' ? undefined : await store.operators.find(operator);
  // Only in the operator's own account, not in accounts that the operator was invited to.
  return user !== undefined && (await store.users.accounts(user))[0] === account;
}
