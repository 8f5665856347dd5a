import type { StoreReader } from '../domain/repositories.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';

/** Whether the credentials of a request are still valid, with the same role. Not recorded as a use of them. */
export async function isStillAllowed({ store: { read } }: Pick<Deps, 'store'>, caller: Caller): Promise<boolean> {
  const { account, user, role } = caller;
  const [member, accountRecord, hasCredential] = await Promise.all([
    read.users.find(account, user),
    read.accounts.find(account),
    isKept(read, caller),
  ]);
  return hasCredential && member?.role === role && accountRecord?.isSuspended === false;
}

async function isKept(read: StoreReader, { account, user, with: credential }: Caller): Promise<boolean> {
  if ('key' in credential) return (await read.keys.list(account)).some(({ id }) => id === credential.key);
  return (await read.tokens.sessions(credential.account, user)).some(({ id }) => id === credential.session);
}
