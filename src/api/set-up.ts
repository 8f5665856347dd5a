import Type from 'typebox';
import type { User } from '../domain/account.ts';
import { newAccount, parseEmail } from '../domain/account-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { type AccountId, parseProfileId, shortId, type UserId } from '../domain/ids.ts';
import { isTimeZone } from '../domain/local-time.ts';
import { firstProfile } from '../domain/profile-rules.ts';
import { err, ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { hashNew } from './new-password.ts';
import { hashOf, newId } from './new-secrets.ts';
import { type Operation, open } from './operation.ts';
import { answerSession } from './session-cookie.ts';
import { keeperOf, openSession } from './sign-in.ts';
import { object } from './wire/named.ts';
import { Email, Password, Session } from './wire/people.ts';
import { auditEntry, redrawing } from './write.ts';

const SetUp = object('SetUp', 'The first account, and who owns it.', {
  token: Type.String({ maxLength: 200, description: 'As the program wrote it when it first started.' }),
  email: Email,
  password: Password,
  time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'As `Europe/Berlin`; UTC unless said.' })),
});

const SetUpState = object('SetUpState', 'Whether this place has been set up.', { is_done: Type.Boolean() });

/** A person as new as can be. */
export const newUser = (
  deps: Deps,
  {
    account,
    email,
    role,
    passwordHash,
    emailIsClaimed = false,
  }: Pick<User, 'account' | 'email' | 'role' | 'passwordHash'> & Partial<Pick<User, 'emailIsClaimed'>>,
): User => ({
  id: newId(deps) as UserId,
  account,
  email,
  emailIsClaimed,
  role,
  passwordHash,
  totpSecret: undefined,
  totpLastStep: undefined,
  recoveryCodeHashes: [],
  createdAt: deps.now(),
});

const wrongToken = err(invalid('token', 'is wrong, used or too old; start the program again to get another'));

export const setUpOperations: readonly Operation[] = [
  open({
    method: 'GET',
    path: '/api/v1/set_up',
    operationId: 'getSetUp',
    group: 'Set-up',
    summary: 'Whether there is an account yet',
    reply: SetUpState,
    replyWords: 'Whether there is.',
    run: async ({ store }) => ok({ is_done: (await store.read.accounts.count()) > 0 }),
  }),
  open({
    method: 'POST',
    path: '/api/v1/set_up',
    operationId: 'setUp',
    group: 'Set-up',
    summary: 'Create the first account',
    description: 'Once: afterwards there is an account, and no token leads here any more.',
    body: SetUp,
    reply: Session,
    replyWords: 'Tokens of the owner.',
    refusals: [400, 429],
    run: async (deps, { body, from, inCookie }) => {
      const email = parseEmail(body.email);
      if (!email) return err(invalid('email', 'must be an e-mail address'));
      const timeZone = body.time_zone ?? 'UTC';
      if (!isTimeZone(timeZone)) return err(invalid('time_zone', 'must be a time zone such as Europe/Berlin'));
      const { read } = deps.store;
      const hash = hashOf(deps, body.token);
      // Looked at first: whoever has no token does not make us hash.
      if ((await read.accounts.count()) > 0 || !(await read.tickets.peek('set-up', hash, deps.now())))
        return wrongToken;
      const passwordHash = await hashNew(deps, { password: body.password, email, from });
      if (!passwordHash.ok) return passwordHash;
      return redrawing(() =>
        deps.store.inTransaction(async (store) => {
          if ((await store.accounts.count()) > 0) return wrongToken;
          const now = deps.now();
          if (!(await store.tickets.setUp.take(hash, now))) return wrongToken;
          const account = newAccount(newId(deps) as AccountId, 'default', timeZone, now);
          const owner = newUser(deps, { account: account.id, email, role: 'owner', passwordHash: passwordHash.value });
          const profile = firstProfile({ id: parseProfileId(shortId(deps.random(4)))!, account: account.id, now });
          const created = await store.accounts.create({ account, owner, profile });
          if (!created.ok) return created;
          const author = { account: account.id, by: email, from };
          await store.audit.add(auditEntry(deps, author, { action: 'account.create', subject: account.id }));
          return ok(answerSession(deps, inCookie, await openSession(store, deps, owner, keeperOf(inCookie)), owner));
        }),
      );
    },
  }),
];
