import Type, { type Static } from 'typebox';
import type { User } from '../domain/account.ts';
import { type DomainError, invalid } from '../domain/domain-error.ts';
import { nameRequirements, parseName } from '../domain/name.ts';
import { MAX_PASSKEYS, type Passkey as OwnPasskey, passkeyAlgorithms, type RelyingParty } from '../domain/passkey.ts';
import { err, ok } from '../kit/result.ts';
import { newId } from '../operations/new-secrets.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { CHALLENGE_MS, newChallenge, partyFor, takeChallenge } from './passkey-challenges.ts';
import { PasswordProof, prove, provedMember } from './prove-identity.ts';
import { Passkey, PasskeyCreate, PasskeyCreationOptions, PasskeyUpdate, passkeyToWire } from './wire/passkeys.ts';

const group = 'Passkeys';
const params = Type.Object({ passkey_id: Type.String() });
const notFound = err({ kind: 'not found', what: 'passkey' } as const);
const expired = err(invalid('credential', 'the registration has expired: start again'));
const wrongName = err(invalid('name', `must be ${nameRequirements}`));

/** Id of the user in authenticators, which show only the address. */
export const userHandleOf = (user: User['id']): string => Buffer.from(user).toString('base64url');

type Options = Static<typeof PasskeyCreationOptions>;
type Registration = {
  readonly challenge: string;
  readonly party: RelyingParty;
  readonly user: User;
  readonly others: readonly OwnPasskey[];
};

const creationOptions = (productName: string, { challenge, party, user, others }: Registration): Options => ({
  challenge,
  rp: { id: party.id, name: productName },
  user: { id: userHandleOf(user.id), name: user.email, displayName: user.email },
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: CHALLENGE_MS,
  // Prevents a second passkey of this user on the same authenticator.
  excludeCredentials: others
    .filter(({ rpId }) => rpId === party.id)
    .map(({ credential, transports }) => ({ type: 'public-key', id: credential, transports: [...transports] })),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
});

const limitError = (passkeys: readonly OwnPasskey[]): DomainError | undefined =>
  passkeys.length < MAX_PASSKEYS
    ? undefined
    : invalid('name', `a user can have at most ${MAX_PASSKEYS} passkeys`, 'limit reached');

export const passkeyOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/passkeys',
    operationId: 'listPasskeys',
    group,
    summary: 'List passkeys',
    description: 'The passkeys of the current user, which are valid for all accounts of the user.',
    requires: 'self',
    query: Type.Object(listParameters),
    reply: Type.Array(Passkey),
    replyHeaders: listHeaders,
    responseDescription: 'Passkeys, oldest first.',
    errors: [400],
    run: async (store, { caller, query }) =>
      pageOfList((await store.passkeys.list(caller.user)).map(passkeyToWire), query, ({ id }) => id),
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/passkeys/options',
    operationId: 'beginPasskey',
    group,
    summary: 'Start the registration of a passkey',
    description:
      'Pass the response to `navigator.credentials.create`. Requires the password, and a code if two-factor authentication is enabled.',
    requires: 'self',
    commitsErrors: true,
    body: PasswordProof,
    reply: PasskeyCreationOptions,
    responseDescription: 'Options for the authenticator.',
    errors: [400, 429],
    prepare: async (deps, input) => {
      const party = partyFor(deps, input.pageOrigin);
      if (!party.ok) return party;
      const tried = await prove(deps, input);
      return tried.ok ? ok({ tried: tried.value, party: party.value }) : tried;
    },
    run: async (store, input, deps, { tried, party }) => {
      const proved = await provedMember(store, deps, input, tried);
      if (!proved.ok) return proved;
      const user = proved.value;
      const others = await store.passkeys.list(user.id);
      const tooMany = limitError(others);
      if (tooMany) return err(tooMany);
      await store.users.update(user);
      const challenge = await newChallenge(store, deps, { registrationOf: user.id }, party);
      const reply = creationOptions(deps.productName, { challenge, party, user, others });
      return ok({ reply, audit: { action: 'passkey.begin', subject: user.id } });
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/passkeys',
    operationId: 'createPasskey',
    group,
    summary: 'Register a passkey',
    description: 'With the response of the authenticator to the options.',
    requires: 'self',
    body: PasskeyCreate,
    reply: Passkey,
    responseDescription: 'The passkey. It can be used to sign in.',
    errors: [400],
    prepare: async (deps, { caller, body: { name: nameText, credential } }) => {
      const name = parseName(nameText);
      if (!name) return wrongName;
      const purpose = { registrationOf: caller.user };
      const { clientDataJSON } = credential.response;
      const expected = await deps.store.inTransaction((store) => takeChallenge(store, deps, purpose, clientDataJSON));
      if (!expected) return expired;
      const registered = await deps.passkeys.registration(credential, expected);
      if (!registered) return err(invalid('credential', 'is not a valid response of an authenticator'));
      return ok({ ...registered, name, rpId: expected.party.id });
    },
    run: async (store, { caller }, deps, registered) => {
      const tooMany = limitError(await store.passkeys.list(caller.user));
      if (tooMany) return err(tooMany);
      if (await store.passkeys.byCredential(registered.credential))
        return err(invalid('credential', 'is registered already'));
      const passkey = {
        ...registered,
        id: newId(deps),
        user: caller.user,
        createdAt: deps.now(),
        lastUsedAt: undefined,
      };
      const added = await store.passkeys.add(passkey);
      if (!added.ok) return added;
      const after = { name: passkey.name };
      return ok({ reply: passkeyToWire(passkey), audit: { action: 'passkey.create', subject: passkey.id, after } });
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/passkeys/:passkey_id',
    operationId: 'updatePasskey',
    group,
    summary: 'Rename a passkey',
    description: 'The name helps the user to recognise it.',
    requires: 'self',
    params,
    body: PasskeyUpdate,
    reply: Passkey,
    responseDescription: 'The passkey with its new name.',
    errors: [400, 404],
    run: async (store, { caller, params, body }) => {
      const found = (await store.passkeys.list(caller.user)).find(({ id }) => id === params.passkey_id);
      if (!found) return notFound;
      const name = parseName(body.name);
      if (!name) return wrongName;
      await store.passkeys.rename(caller.user, found.id, name);
      const audit = {
        action: 'passkey.update',
        subject: found.id,
        before: { name: found.name },
        after: { name },
      };
      return ok({ reply: passkeyToWire({ ...found, name }), audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/passkeys/:passkey_id',
    operationId: 'removePasskey',
    group,
    summary: 'Remove a passkey',
    description: 'It cannot be used to sign in any more. Sessions stay valid.',
    requires: 'self',
    params,
    responseDescription: 'Passkey removed.',
    errors: [404],
    run: async (store, { caller, params }) => {
      const found = (await store.passkeys.list(caller.user)).find(({ id }) => id === params.passkey_id);
      if (!found) return notFound;
      await store.passkeys.remove(caller.user, found.id);
      const before = { name: found.name };
      return ok({ reply: undefined, audit: { action: 'passkey.remove', subject: found.id, before } });
    },
  }),
];
