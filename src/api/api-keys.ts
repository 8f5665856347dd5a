import Type from 'typebox';
import { mayManageMembers } from '../domain/account.ts';
import type { ApiKey as DomainKey } from '../domain/credentials.ts';
import { invalid } from '../domain/domain-error.ts';
import { nameRequirements, parseName } from '../domain/name.ts';
import { err, ok } from '../kit/result.ts';
import { createApiKey } from '../operations/create-api-key.ts';
import type { Caller } from './authenticate.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { object } from './wire/named.ts';
import { ApiKey, keyToWire, NewApiKey } from './wire/people.ts';

const group = 'API keys';
const MAX_KEYS = 32;

const ApiKeyCreate = object('ApiKeyCreate', 'Name of the key.', {
  name: Type.String({ minLength: 1, maxLength: 64 }),
});

/** Members see their own keys; owners and admins see all keys. */
const maySee =
  ({ user, role }: Caller) =>
  (key: DomainKey): boolean =>
    key.user === user || mayManageMembers(role);

export const apiKeyOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/api_keys',
    operationId: 'listApiKeys',
    group,
    summary: 'List API keys',
    description: 'The keys of the current user; owners and admins see those of all members.',
    requires: 'self',
    query: Type.Object(listParameters),
    reply: Type.Array(ApiKey),
    replyHeaders: listHeaders,
    responseDescription: 'API keys without their secrets.',
    errors: [400],
    run: async (store, { caller, query }) => {
      const keys = (await store.keys.list(caller.account)).filter(maySee(caller));
      return pageOfList(keys.map(keyToWire), query, ({ id }) => id);
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/api_keys',
    operationId: 'createApiKey',
    group,
    summary: 'Create an API key',
    description: 'The key has the role of the user who creates it. It cannot manage sessions, members or API keys.',
    requires: 'self',
    body: ApiKeyCreate,
    reply: NewApiKey,
    responseDescription: 'The key. It is returned only in this response.',
    errors: [400],
    run: async (store, { caller, body }, deps) => {
      const name = parseName(body.name);
      if (!name) return err(invalid('name', `must be ${nameRequirements}`));
      if ((await store.keys.list(caller.account)).length >= MAX_KEYS)
        return err(invalid('name', `an account can have at most ${MAX_KEYS} keys`, 'limit reached'));
      const created = await createApiKey(store, deps, { account: caller.account, id: caller.user }, name);
      if (!created.ok) return created;
      const { key, secret, audit } = created.value;
      return ok({ reply: { ...keyToWire(key), api_key: secret }, audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/api_keys/:api_key_id',
    operationId: 'removeApiKey',
    group,
    summary: 'Revoke an API key',
    description: 'Requests with the key are rejected from now on.',
    requires: 'self',
    params: Type.Object({ api_key_id: Type.String() }),
    responseDescription: 'Key revoked.',
    errors: [404],
    run: async (store, { caller, params }) => {
      const keys = (await store.keys.list(caller.account)).filter(maySee(caller));
      const key = keys.find(({ id }) => id === params.api_key_id);
      if (!key) return err({ kind: 'not found', what: 'API key' });
      await store.keys.remove(caller.account, key.id);
      const before = { name: key.name, hint: key.hint };
      return ok({ reply: undefined, audit: { action: 'api_key.remove', subject: key.id, before } });
    },
  }),
];
