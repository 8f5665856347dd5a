import Type from 'typebox';
import type { User } from '../domain/account.ts';
import { invalid } from '../domain/domain-error.ts';
import { passkeyThrottleKey, throttleKeys } from '../domain/login-throttle.ts';
import type { Passkey } from '../domain/passkey.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { noteFailure } from './check-password.ts';
import { countAttempt, type Refund } from './count-attempts.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { type Operation, publicRoute } from './operation.ts';
import { CHALLENGE_MS, newChallenge, partyFor, takeChallenge } from './passkey-challenges.ts';
import { userHandleOf } from './passkeys.ts';
import { answerSession } from './session-cookie.ts';
import { activeMembersOf, openSession, type SignIn, sessionKindFor, type Tokens, wrongSignIn } from './sign-in.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';
import { object } from './wire/named.ts';
import { AuthenticationCredential, PasskeyRequestOptions } from './wire/passkeys.ts';
import { Session } from './wire/people.ts';

const group = 'Session';

const PasskeySession = object('PasskeySession', 'Response of an authenticator.', {
  credential: AuthenticationCredential,
  account_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Account to sign in to, if the user belongs to several.' }),
  ),
  keep_signed_in: Type.Optional(Type.Boolean({ description: 'As for a sign-in with a password.' })),
});

type Given = Pick<SignIn, 'from' | 'userAgent' | 'sessionKind' | 'account'> & {
  readonly credential: AuthenticationCredential;
};

/** The authenticator has checked the user (fingerprint, PIN), so that a second factor is not required. */
async function signInWithPasskey(
  deps: Deps,
  request: Given,
): Promise<Result<{ readonly tokens: Tokens; readonly user: User }, ApiError>> {
  const { credential, from } = request;
  const counted = await countAttempt(deps, { cleared: [], refunded: [throttleKeys('', from).address] });
  if (!counted.ok) return counted;
  const expected = await deps.store.inTransaction((store) =>
    takeChallenge(store, deps, 'sign-in', credential.response.clientDataJSON),
  );
  const passkey = expected && (await deps.store.read.passkeys.byCredential(credential.id));
  if (!passkey) return wrongSignIn;
  const checked = isOf(passkey, credential, expected.party.id)
    ? await deps.passkeys.signIn(credential, expected, passkey)
    : undefined;
  const signedIn = checked
    ? await open(deps, { passkey, counter: checked.counter, refund: counted.value }, request)
    : wrongSignIn;
  if (signedIn === wrongSignIn) await noteFailure(deps, await ownerOf(deps, passkey), from);
  return signedIn;
}

/** The response contains the user of the passkey. */
const isOf = (passkey: Passkey, { response: { userHandle } }: AuthenticationCredential, rpId: string): boolean =>
  passkey.rpId === rpId && (userHandle === undefined || userHandle === userHandleOf(passkey.user));

async function ownerOf({ store: { read } }: Deps, { user }: Passkey): Promise<User | undefined> {
  const [first] = await read.users.accounts(user);
  return first && read.users.find(first, user);
}

type Proven = { readonly passkey: Passkey; readonly counter: number; readonly refund: Refund };

const open = (deps: Deps, { passkey, counter, refund }: Proven, request: Given): ReturnType<typeof signInWithPasskey> =>
  deps.store.inTransaction(async (store) => {
    const members = await activeMembersOf(store, passkey.user);
    const member =
      request.account === undefined ? members[0] : members.find(({ account }) => account === request.account);
    if (members.length === 0) return wrongSignIn;
    if (!member) return err(invalid('account_id', 'is not an account of this user'));
    if (!(await store.passkeys.use(passkey, counter, deps.now()))) return wrongSignIn;
    await refund(store);
    // The attempt was counted by an earlier request, in the database or outside of it.
    const started = passkeyThrottleKey(request.from);
    deps.sharedAttempts?.refund({ cleared: [started], refunded: [] });
    await store.throttles.remove(started);
    const author = { account: member.account, by: member.email, from: request.from };
    const note = { action: 'session.create', after: { passkey: passkey.name } };
    await store.audit.add(auditEntry(deps, author, note));
    return ok({ tokens: await openSession(store, deps, member, request), user: member });
  });

const createSession = publicRoute({
  method: 'POST',
  path: '/api/v1/session/passkey',
  operationId: 'createPasskeySession',
  group,
  summary: 'Sign in with a passkey',
  description: 'Needs neither password nor two-factor code: the authenticator has verified the user.',
  body: PasskeySession,
  reply: Session,
  responseDescription: 'Tokens.',
  errors: [400, 429],
  run: async (deps, { body, from, userAgent, inCookie }) => {
    const isPersistent = body.keep_signed_in === true && deps.sessionKeepDays > 0;
    const { credential, account_id: account } = body;
    const sessionKind = sessionKindFor(inCookie, isPersistent);
    const signedIn = await signInWithPasskey(deps, { credential, account, from, userAgent, sessionKind });
    if (!signedIn.ok) return signedIn;
    deps.passwords.noteSignedIn(from);
    return ok(answerSession(deps, inCookie, signedIn.value.tokens, signedIn.value.user));
  },
});

export const passkeySignInOperations: readonly Operation[] = [
  publicRoute({
    method: 'POST',
    path: '/api/v1/session/passkey/options',
    operationId: 'beginPasskeySession',
    group,
    summary: 'Start a sign-in with a passkey',
    description: 'Pass the response to `navigator.credentials.get`. Many starts without a sign-in are delayed.',
    reply: PasskeyRequestOptions,
    responseDescription: 'Options for the authenticator.',
    errors: [400, 429],
    run: async (deps, { from, pageOrigin }) => {
      const party = partyFor(deps, pageOrigin);
      if (!party.ok) return party;
      // Throttled, because each start stores a challenge.
      const counted = await countAttempt(deps, { cleared: [passkeyThrottleKey(from)], refunded: [] });
      if (!counted.ok) return counted;
      const challenge = await deps.store.inTransaction((store) => newChallenge(store, deps, 'sign-in', party.value));
      return ok({ challenge, rpId: party.value.id, timeout: CHALLENGE_MS, userVerification: 'required' as const });
    },
  }),
  {
    ...createSession,
    answers: {
      ...createSession.answers,
      401: {
        description: 'Unknown passkey, wrong response, or the challenge has expired or was used.',
        content: { 'application/json': AccessTokenErrorResponse },
      },
    },
  },
];
