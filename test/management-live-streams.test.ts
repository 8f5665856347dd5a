import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../src/api/deps.ts';
import { createLiveLog } from '../src/api/live-log.ts';
import { until } from './support/kit/until.ts';
import { type Management, PASSWORD, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

const EMAIL = 'anna@example.org';

/** The live log over no records: these tests are about its end. The service itself opens it over the same store. */
async function startWithLive(t: Parameters<typeof startManagement>[0], place: Parameters<typeof startManagement>[2]) {
  const listeners: Parameters<Deps['store']['onCommit']>[0][] = [];
  const onCommit: Deps['store']['onCommit'] = (listener) => {
    listeners.push(listener);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  };
  let now = (): number => 0;
  const liveLog = createLiveLog(
    () => () => {},
    { onCommit },
    () => now(),
  );
  const management = await startManagement(t, { liveLog }, place);
  now = management.deps.now;
  management.store.onCommit(async (changed) => {
    await Promise.all(listeners.map(async (listener) => listener(changed)));
  });
  return management;
}

async function openStream({ url }: Management, authorization: string) {
  const response = await fetch(`${url}/api/v1/query_log/live`, { headers: { authorization } });
  assert.equal(response.status, 200);
  const stream = { isOver: false };
  void (async () => {
    try {
      for await (const _ of response.body!);
    } catch {
      // The test is over.
    }
    stream.isOver = true;
  })();
  return stream;
}

const invite = async ({ ask }: Management, as: string, email: string, role: string) => {
  const { json } = await ask('POST', '/api/v1/invitations', { as, json: { email, role } });
  const { json: session } = await ask('POST', '/api/v1/invitations/accept', {
    json: { token: json.token, password: PASSWORD },
  });
  return { as: `Bearer ${session.access_token}`, id: session.member.id as string };
};

/** Each gives the credentials of a reader, and ends them. */
const ends: Readonly<
  Record<string, (management: Management, owner: string) => Promise<{ as: string; end: () => Promise<unknown> }>>
> = {
  'sign-out': async ({ ask }) => {
    const { json } = await ask('POST', '/api/v1/session', { json: { email: EMAIL, password: PASSWORD } });
    const as = `Bearer ${json.access_token}`;
    return { as, end: () => ask('DELETE', '/api/v1/session', { as }) };
  },
  'revoked key': async ({ ask }, owner) => {
    const { json } = await ask('POST', '/api/v1/api_keys', { as: owner, json: { name: 'script' } });
    return { as: `ApiKey ${json.api_key}`, end: () => ask('DELETE', `/api/v1/api_keys/${json.id}`, { as: owner }) };
  },
  'removed member': async (management, owner) => {
    const { as, id } = await invite(management, owner, 'removed@example.org', 'viewer');
    return { as, end: () => management.ask('DELETE', `/api/v1/members/${id}`, { as: owner }) };
  },
  'changed role': async (management, owner) => {
    const { as, id } = await invite(management, owner, 'changed@example.org', 'admin');
    return {
      as,
      end: () => management.ask('PUT', `/api/v1/members/${id}`, { as: owner, json: { role: 'viewer' } }),
    };
  },
  'changed password': async (management, owner) => {
    const { as } = await invite(management, owner, 'password@example.org', 'viewer');
    const json = { current_password: PASSWORD, new_password: 'another horse, another staple' };
    return { as, end: () => management.ask('PUT', '/api/v1/password', { as, json }) };
  },
};

for (const [database, newDatabase] of Object.entries(databases))
  test(`${database}: a live stream ends with the credentials that opened it`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const management = await startWithLive(t, options);
    const owner = await management.account(EMAIL);
    const other = await openStream(management, owner);
    for (const [why, prepare] of Object.entries(ends)) {
      const { as, end } = await prepare(management, owner);
      const stream = await openStream(management, as);
      assert.equal(stream.isOver, false, why);
      const startedAt = performance.now();
      await end();
      await until(`the end after: ${why}`, () => stream.isOver);
      t.diagnostic(`${why}: the stream ended ${Math.round(performance.now() - startedAt)} ms after the request began`);
    }
    assert.equal(other.isOver, false, 'streams of other credentials go on');
    const { account } = (await management.store.read.users.byEmail(EMAIL))!;
    const whole = (await management.store.read.accounts.find(account))!;
    await management.store.inTransaction(({ accounts }) => accounts.update({ ...whole, isSuspended: true }));
    await until('the end after a suspension', () => other.isOver);
  });
