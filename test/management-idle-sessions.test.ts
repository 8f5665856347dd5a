import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { applyRetention } from '../src/operations/retention.ts';
import { type Answer, type Management, PASSWORD, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

const EMAIL = 'anna@example.org';
const MINUTE = 60_000;
const URL_OF_ONE = '/api/v1/session';

type Signed = Management & {
  readonly cookie: string;
  /** Headers of our pages. */
  readonly page: (method?: string, path?: string) => Promise<Answer>;
};

async function signedIn(management: Management, keep_signed_in = false): Promise<Signed> {
  const { ask, deps, account, store } = management;
  if ((await store.read.accounts.count()) === 0) await account(EMAIL);
  const headers = { 'session-in': 'cookie' };
  const answer = await ask('POST', URL_OF_ONE, { json: { email: EMAIL, password: PASSWORD, keep_signed_in }, headers });
  assert.equal(answer.status, 200);
  const minutes = keep_signed_in ? undefined : deps.sessionIdleMinutes || undefined;
  assert.equal(answer.json.member.session_idle_minutes, minutes);
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
  const page: Signed['page'] = (method = 'GET', path = URL_OF_ONE) =>
    ask(method, path, { headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' } });
  return { ...management, cookie, page };
}

/** Runs the test on each database. */
function onBoth(sentence: string, job: (management: Management, t: TestContext) => Promise<void>, minutes = 30): void {
  for (const [name, newDatabase] of Object.entries(databases))
    test(`${name}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      await job(await startManagement(t, { sessionIdleMinutes: minutes }, options), t);
    });
}

onBoth('a session of a page ends after 30 minutes without a request, and its cookie is taken back', async (m) => {
  const { clock, page, cookie } = await signedIn(m);
  assert.equal((await page()).json.session_idle_minutes, 30);
  clock.now += 30 * MINUTE - 1;
  assert.equal((await page()).status, 200);
  clock.now += 30 * MINUTE;
  const { status, headers, json } = await page();
  assert.deepEqual([status, json.error_code], [401, (await m.ask('GET', URL_OF_ONE)).json.error_code]);
  assert.match(headers.getSetCookie()[0]!, new RegExp(`^${cookie.split('=')[0]}=; .*Max-Age=0`));
  assert.equal((await page('DELETE')).status, 401);
});

onBoth('a session in use stays open, at most for twelve hours', async (m) => {
  const { clock, page } = await signedIn(m);
  for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
    clock.now += 20 * MINUTE;
    assert.equal((await page()).status, 200, `${minutes}`);
  }
  clock.now += 20 * MINUTE;
  assert.equal((await page()).status, 401);
});

onBoth('the last use is written now and then, not with each request', async (m) => {
  const { clock, page, store } = await signedIn(m);
  const { id: user } = (await page()).json;
  const { account } = (await store.read.users.byEmail(EMAIL))!;
  const kept = async () => (await store.read.tokens.sessions(account, user)).find(({ id }) => id.startsWith('page '))!;
  await store.flush();
  const since = (await kept()).lastUsedAt;
  clock.now += MINUTE;
  for (let time = 0; time < 50; time++) await page();
  assert.equal((await kept()).lastUsedAt, since);
  await store.flush();
  assert.equal((await kept()).lastUsedAt, since + MINUTE);
});

onBoth('an expired idle session is not listed, and is deleted by the retention job', async (m) => {
  const { clock, log, store, page } = await signedIn(m);
  const { account, id } = (await store.read.users.byEmail(EMAIL))!;
  const shown = async (): Promise<number> => (await later.page('GET', '/api/v1/sessions')).json.length;
  clock.now += 20 * MINUTE;
  const later = await signedIn(m);
  assert.equal(await shown(), 3);
  clock.now += 20 * MINUTE;
  assert.equal(await shown(), 2);
  const keep = () => applyRetention(store, log, clock.now, { sessionIdleMinutes: 30, sessionKeepDays: 30 });
  const sessions = async (): Promise<number> => (await store.read.tokens.sessions(account, id)).length;
  assert.equal(await sessions(), 3);
  await store.flush();
  await keep();
  assert.equal(await sessions(), 2);
  assert.deepEqual([(await page()).status, (await later.page()).status], [401, 200]);
});

onBoth('programs are not signed out when idle', async (m) => {
  const { clock, ask, account } = m;
  const as = await account(EMAIL);
  const { json: key } = await ask('POST', '/api/v1/api_keys', { as, json: { name: 'x' } });
  clock.now += 20 * 24 * 60 * MINUTE;
  for (const by of [as, `ApiKey ${key.api_key}`]) {
    const { status, json } = await ask('GET', URL_OF_ONE, { as: by });
    assert.deepEqual([status, json.session_idle_minutes], [200, undefined]);
  }
});

onBoth('a browser that stays signed in ends after 30 days without use, or with a new password', async (m) => {
  const DAY = 24 * 60 * MINUTE;
  const { clock, page, ask, log, store } = await signedIn(m, true);
  assert.equal((await page()).json.session_idle_minutes, undefined);
  for (let month = 0; month < 3; month++) {
    clock.now += 30 * DAY - 1;
    await applyRetention(store, log, clock.now, { sessionIdleMinutes: 30, sessionKeepDays: 30 });
    const { json } = await page('GET', '/api/v1/sessions');
    const own = json.find(({ is_current }: { is_current: boolean }) => is_current);
    assert.deepEqual([own.is_persistent, own.last_used_millis], [true, clock.now]);
    await store.flush();
  }
  clock.now += 30 * DAY;
  assert.equal((await page()).status, 401);
  const later = await signedIn(m, true);
  const json = { current_password: PASSWORD, new_password: 'another long password' };
  assert.equal((await later.page()).status, 200);
  const signIn = await ask('POST', URL_OF_ONE, { json: { email: EMAIL, password: PASSWORD } });
  await ask('PUT', '/api/v1/password', { as: `Bearer ${signIn.json.access_token}`, json });
  assert.equal((await later.page()).status, 401);
});

onBoth(
  'where the operator wants none, only the twelve hours count',
  async (m) => {
    const { clock, page } = await signedIn(m);
    clock.now += 12 * 60 * MINUTE - 1;
    const { status, json } = await page();
    assert.deepEqual([status, json.session_idle_minutes], [200, undefined]);
    clock.now += 1;
    assert.equal((await page()).status, 401);
  },
  0,
);
