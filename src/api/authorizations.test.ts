import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { authenticate } from './authenticate.ts';
import { authorizationOperations } from './authorizations.ts';

const challenge = 'x'.repeat(43);
const request = {
  client_id: 'router',
  redirect_uri: 'https://router.example/back',
  response_type: 'code',
  code_challenge: challenge,
  state: 'a b&c',
};
async function openAuthorizations(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, authorizationOperations);
  const home = await api.account('home');
  const locationOf = async (different: object): Promise<URL> =>
    new URL((await api.done('createAuthorization', home, { body: { ...request, ...different } })).reply.location);
  return { ...api, home, locationOf };
}

test('nothing is sent to an unknown client or to a URI that is not registered, not even an error', async (t) => {
  const { call, home } = await openAuthorizations(t);
  for (const [field, body] of [
    ['client_id', { ...request, client_id: 'other' }],
    ['redirect_uri', { ...request, redirect_uri: 'https://router.example/back/' }],
    ['redirect_uri', { ...request, redirect_uri: 'https://evil.example/back' }],
  ] as const) {
    const result = await call('createAuthorization', home, { body });
    assert.ok(!result.ok && result.error.kind === 'invalid');
    assert.equal(result.error.errors[0]!.field, field);
  }
});

test('a code needs a PKCE challenge of S256; errors are sent to the client with its state', async (t) => {
  const { locationOf } = await openAuthorizations(t);
  const granted = await locationOf({});
  assert.equal(granted.origin + granted.pathname, request.redirect_uri);
  assert.ok(granted.searchParams.get('code') && granted.searchParams.get('state') === request.state);
  for (const [error, different] of [
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['unsupported_response_type', { response_type: 'id_token' }],
  ] as const) {
    const { searchParams } = await locationOf(different);
    assert.deepEqual(
      [searchParams.get('error'), searchParams.get('code'), searchParams.get('state')],
      [error, null, request.state],
    );
  }
});

test('a token is in the fragment, has the permissions of a third-party app, and the approval is audited', async (t) => {
  const { locationOf, deps, done, home } = await openAuthorizations(t);
  const { hash } = await locationOf({ response_type: 'token' });
  const given = new URLSearchParams(hash.slice(1));
  const caller = await authenticate(deps, [`Bearer ${given.get('access_token')}`]);
  assert.ok(caller.ok);
  assert.equal(caller.value.session, undefined);
  const { audit } = await done('createAuthorization', home, { body: request });
  assert.deepEqual([audit!.action, audit!.subject], ['authorization.create', 'router']);
});
