import Type, { type Static } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { AccountId } from '../domain/ids.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import type { Caller } from './authenticate.ts';
import type { ApiError } from './errors.ts';
import { mutation, type Operation, query } from './operation.ts';
import { answerSession } from './session-cookie.ts';
import { isPersistentSession, openSession, sessionKindFor } from './sign-in.ts';
import { object } from './wire/named.ts';
import { AccountChoice, Session } from './wire/people.ts';

const AccountSwitch = object('AccountSwitch', 'The account to switch to.', {
  account_id: Type.String({ maxLength: 64 }),
});

/** For API keys and third-party apps, only their account, so that a leaked credential does not reveal the others. */
const accountsOf = async (store: StoreReader, caller: Caller): Promise<readonly AccountId[]> =>
  'session' in caller.with && caller.with.isOwn ? store.users.accounts(caller.user) : [caller.account];

async function choiceOf(
  store: StoreReader,
  caller: Caller,
  id: AccountId,
): Promise<Static<typeof AccountChoice> | undefined> {
  const members = await store.users.members(id);
  const currentMember = members.find((member) => member.id === caller.user);
  const account = await store.accounts.find(id);
  if (!currentMember || !account || account.isSuspended) return undefined;
  const owner = members.find(({ role }) => role === 'owner');
  return {
    id,
    owner_email: owner?.email ?? currentMember.email,
    role: currentMember.role,
    current: id === caller.account,
  };
}

const notYours: Result<never, ApiError> = err(invalid('account_id', 'is not an account of this user'));

export const myAccountOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/accounts',
    operationId: 'listAccounts',
    group: 'Account',
    summary: 'List the accounts of the user',
    description:
      'The header `X-Account-Id` of a request with a token of the user chooses one of them. API keys belong to one account.',
    reply: Type.Array(AccountChoice),
    responseDescription: 'The accounts, that in which the user was created first.',
    run: async (store, { caller }) => {
      const choices = [];
      for (const id of await accountsOf(store, caller)) {
        const choice = await choiceOf(store, caller, id);
        if (choice) choices.push(choice);
      }
      return ok(choices);
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/session/account',
    operationId: 'switchAccount',
    group: 'Session',
    summary: 'Switch to another account of the user',
    description: 'Ends this session and returns tokens of a session in the other account.',
    requires: 'self',
    body: AccountSwitch,
    reply: Session,
    responseDescription: 'Tokens of the new session.',
    errors: [400],
    run: async (store, { caller, body, inCookie, from, userAgent }, deps) => {
      const id = (await accountsOf(store, caller)).find((own) => own === body.account_id);
      const account = id && (await store.accounts.find(id));
      const member = account && (await store.users.find(account.id, caller.user));
      if (!member || account.isSuspended) return notYours;
      await store.tokens.removeSession(caller.account, caller.session!);
      const sessionKind = sessionKindFor(inCookie, isPersistentSession(caller.session));
      const tokens = await openSession(store, deps, member, { sessionKind, from, userAgent });
      const author = { account: member.account, by: member.email, from };
      await store.audit.add(auditEntry(deps, author, { action: 'session.create' }));
      return ok({ reply: answerSession(deps, inCookie, tokens, member), audit: { action: 'session.end' } });
    },
  }),
];
