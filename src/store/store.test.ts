import assert from 'node:assert/strict';
import {
  accessTokenOf,
  accountId,
  accountNamed,
  auditEntryOf,
  deviceNumber,
  forwardRuleOf,
  invitationOf,
  keyOf,
  localRecordOf,
  newAccount,
  profileNumber,
  sessionOf,
  userId,
  userNamed,
} from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { KeyId, ProfileId, UserId } from '../domain/ids.ts';
import type { Store } from './store.ts';

const anna = accountId('anna');
const ben = accountId('ben');

async function withAnna(store: Store) {
  const { account, owner, profile } = newAccount('anna', 0xa0);
  await store.inTransaction((tx) => tx.accounts.create({ account, owner, profile }));
  return { account, owner, profile };
}

onBoth('a new account has its owner and its default server, as they were given', async (store) => {
  const { account, owner, profile } = await withAnna(store);
  assert.deepEqual(await store.read.accounts.find(anna), account);
  assert.deepEqual(await store.read.users.members(anna), [owner]);
  assert.deepEqual(await store.read.profiles.default(anna), profile);
  assert.deepEqual(await store.read.profiles.list(anna), [profile]);
  assert.deepEqual(await store.read.accounts.list(), [account]);
  assert.equal(await store.read.accounts.count(), 1);
});

onBoth('an account whose owner has an address that is known is not made, not even in part', async (store) => {
  await withAnna(store);
  const second = { ...newAccount('ben', 0xb0), owner: userNamed('ben', { email: 'Anna@Example.org' }) };
  const made = await store.inTransaction((tx) => tx.accounts.create(second));
  assert.deepEqual(made, { ok: false, error: { kind: 'conflict', what: 'email' } });
  assert.equal(await store.read.accounts.find(ben), undefined);
  const again = await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xb0)));
  assert.deepEqual(again, { ok: false, error: { kind: 'conflict', what: 'id' } });
});

onBoth('an account is changed as a whole', async (store) => {
  await withAnna(store);
  const changed = accountNamed('anna', { plan: 'team', limitOverrides: { devices: 7 }, isSuspended: true });
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(changed)), true);
  assert.deepEqual(await store.read.accounts.find(anna), changed);
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(accountNamed('nobody'))), false);
});

onBoth(
  'with an account goes everything that is its own, and the operator can still see that it went',
  async (store) => {
    const { profile } = await withAnna(store);
    await store.inTransaction(async (tx) => {
      await tx.devices.add(deviceNumber(1, profile));
      await tx.keys.add(keyOf('anna'));
      await tx.tokens.addSession(sessionOf('anna'));
      await tx.tokens.addAccess(accessTokenOf('anna'), 2000);
      await tx.invitations.add(invitationOf('anna'));
      await tx.audit.add(auditEntryOf('anna'));
      await tx.dedicated.allocate(anna, ['192.0.2.1'], 2000);
      await tx.dedicated.link(anna, '192.0.2.1', deviceNumber(1, profile).id);
    });
    const gone = auditEntryOf('anna', { id: 'last', by: 'operator', action: 'account.delete' });
    assert.equal(await store.inTransaction((tx) => tx.accounts.remove(anna, gone)), true);
    const { read } = store;
    assert.equal(await read.accounts.find(anna), undefined);
    assert.equal(await read.users.byEmail('anna@example.org'), undefined);
    assert.equal(await read.keys.byHash('key hash anna'), undefined);
    assert.equal(await read.tokens.accessByHash('access hash anna', 0), undefined);
    assert.equal(await read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
    assert.equal(await read.invitations.byHash('invitation hash anna', 0), undefined);
    assert.deepEqual(await read.dedicated.list(anna), []);
    const nameless = { from: undefined, subject: undefined, before: undefined, after: undefined };
    assert.deepEqual(await read.audit.list(anna, { limit: 10 }), [{ ...gone, ...nameless }]);
    assert.deepEqual(await read.accounts.deleted(), [anna]);
    assert.equal(await store.inTransaction((tx) => tx.accounts.remove(anna, gone)), false);
  },
);

onBoth('a person is found by e-mail address in any case, and changed', async (store) => {
  const { owner } = await withAnna(store);
  const changed = { ...owner, totpSecret: 'SECRET', totpLastStep: 55_000_000, recoveryCodeHashes: ['a', 'b'] };
  assert.equal(await store.inTransaction((tx) => tx.users.update(changed)), true);
  assert.deepEqual(await store.read.users.byEmail('ANNA@example.ORG'), changed);
  assert.deepEqual(await store.read.users.find(anna, userId('anna')), changed);
});

onBoth('a change to an address that another has is refused as a fault', async (store) => {
  const { owner } = await withAnna(store);
  const carl = userNamed('carl', { account: anna, role: 'viewer' });
  assert.deepEqual(await store.inTransaction((tx) => tx.users.add(carl)), { ok: true, value: undefined });
  const update = store.inTransaction((tx) => tx.users.update({ ...carl, email: owner.email }));
  await assert.rejects(update, { name: 'StoreError', kind: 'taken' });
});

onBoth('with a person go the keys and tokens', async (store) => {
  await withAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.users.add(userNamed('carl', { account: anna, role: 'viewer' }));
    await tx.keys.add(keyOf('anna', { user: 'user-carl' as UserId }));
    await tx.tokens.addSession({ ...sessionOf('anna'), user: 'user-carl' as UserId });
    await tx.tokens.addAccess({ ...accessTokenOf('anna'), user: 'user-carl' as UserId }, 2000);
  });
  assert.equal((await store.read.keys.byHash('key hash anna'))?.role, 'viewer');
  assert.equal(await store.inTransaction((tx) => tx.users.remove(anna, 'user-carl' as UserId)), true);
  assert.equal(await store.read.keys.byHash('key hash anna'), undefined);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
});

onBoth('a key says who shows it, what that person may do, and whether the account is suspended', async (store) => {
  await withAnna(store);
  await store.inTransaction((tx) => tx.keys.add(keyOf('anna')));
  const bearer = { account: anna, user: userId('anna'), email: 'anna@example.org', role: 'owner', isSuspended: false };
  const expected = { ...bearer, key: 'key-anna', keyName: 'script' };
  assert.deepEqual(await store.read.keys.byHash('key hash anna'), expected);
  await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna', { isSuspended: true })));
  assert.deepEqual(await store.read.keys.byHash('key hash anna'), { ...expected, isSuspended: true });
  const same = await store.inTransaction((tx) => tx.keys.add(keyOf('anna', { id: 'other' as KeyId })));
  assert.deepEqual(same, { ok: false, error: { kind: 'conflict', what: 'hash' } });
  assert.equal(await store.inTransaction((tx) => tx.keys.remove(anna, 'key-anna' as KeyId)), true);
  assert.deepEqual(await store.read.keys.list(anna), []);
});

onBoth('an access token is known until its time is over or its session is revoked', async (store) => {
  await withAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 3000);
  });
  const bearer = { account: anna, user: userId('anna'), email: 'anna@example.org', role: 'owner', isSuspended: false };
  const token = { ...bearer, session: 'family-anna', expiresAt: 9000, lastUsedAt: 3000 };
  assert.deepEqual(await store.read.tokens.accessByHash('access hash anna', 8999), token);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 9000), undefined);
  const session = { ...sessionOf('anna'), lastUsedAt: 3000 };
  assert.deepEqual(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), { ...bearer, session });
  await store.inTransaction((tx) => tx.tokens.expire(9000, { pages: 0, persistent: 0 }));
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
  await store.inTransaction((tx) => tx.tokens.addAccess(accessTokenOf('anna'), 3000));
  assert.equal(await store.inTransaction((tx) => tx.tokens.removeSession(anna, 'family-anna')), true);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
});

onBoth('all tokens of a person are revoked at once', async (store) => {
  await withAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 3000);
    await tx.tokens.removeOfUser(anna, userId('anna'));
  });
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
  assert.equal(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
});

onBoth('an invitation is found by its token until its time is over, and accepted once', async (store) => {
  await withAnna(store);
  await store.inTransaction((tx) => tx.invitations.add(invitationOf('anna')));
  assert.deepEqual(await store.read.invitations.byHash('invitation hash anna', 8999), invitationOf('anna'));
  assert.equal(await store.read.invitations.byHash('invitation hash anna', 9000), undefined);
  assert.deepEqual(await store.read.invitations.list(anna), [invitationOf('anna')]);
  const accept = () => store.inTransaction((tx) => tx.invitations.remove(anna, 'invitation-anna'));
  assert.deepEqual((await Promise.all([accept(), accept()])).toSorted(), [false, true]);
});

onBoth('a ticket is taken once, for what it was made, in its time', async (store) => {
  const put = (hash: string) =>
    store.inTransaction((tx) =>
      tx.oneTimeTokens.put({ kind: 'mfa', hash, content: { user: 'anna' }, expiresAt: 9000 }),
    );
  const take = (kind: string, hash: string, now: number) =>
    store.inTransaction((tx) => tx.oneTimeTokens.take(kind, hash, now));
  await put('one');
  assert.deepEqual(await store.read.oneTimeTokens.peek('mfa', 'one', 8999), { content: { user: 'anna' } });
  assert.equal(await take('other', 'one', 8999), undefined);
  const both = await Promise.all([take('mfa', 'one', 8999), take('mfa', 'one', 8999)]);
  assert.deepEqual(
    both.filter((taken) => taken !== undefined),
    [{ content: { user: 'anna' } }],
  );
  await put('two');
  assert.equal(await take('mfa', 'two', 9000), undefined);
});

onBoth('of the tokens for setting up the last one is good, once', async (store) => {
  await store.inTransaction((tx) => tx.oneTimeTokens.setUp.put('first', 9000));
  await store.inTransaction((tx) => tx.oneTimeTokens.setUp.put('second', 9000));
  const take = (hash: string) => store.inTransaction((tx) => tx.oneTimeTokens.setUp.take(hash, 5000));
  assert.equal(await take('first'), false);
  assert.deepEqual((await Promise.all([take('second'), take('second')])).toSorted(), [false, true]);
});

onBoth('failed sign-ins are remembered until they are forgotten', async (store) => {
  const throttles = store.read.throttles;
  await store.inTransaction((tx) => tx.throttles.put('address 192.0.2.1', { failures: 1, lastFailureAt: 100 }));
  await store.inTransaction((tx) => tx.throttles.put('address 192.0.2.1', { failures: 2, lastFailureAt: 200 }));
  assert.deepEqual(await throttles.get('address 192.0.2.1'), { failures: 2, lastFailureAt: 200 });
  await store.inTransaction((tx) => tx.throttles.expire(200));
  assert.equal((await throttles.get('address 192.0.2.1'))?.failures, 2);
  await store.inTransaction((tx) => tx.throttles.expire(201));
  assert.equal(await throttles.get('address 192.0.2.1'), undefined);
});

onBoth('the audit is read newest first, page by page, also where times are equal', async (store) => {
  await withAnna(store);
  const times = [9000, 1000, 2000, 2000, 2000];
  const entries = times.map((at, index) => auditEntryOf('anna', { id: `entry-${(7 * index) % 5}`, at }));
  await store.inTransaction(async (tx) => {
    for (const entry of entries) await tx.audit.add(entry);
  });
  const first = await store.read.audit.list(anna, { limit: 2 });
  const second = await store.read.audit.list(anna, { limit: 9, before: first.at(-1) });
  assert.deepEqual(
    [...first, ...second].map(({ id, at }) => [id, at]),
    [0, 4, 3, 2, 1].map((index) => [entries[index]!.id, times[index]! + Math.max(0, index - 2)]),
  );
  assert.deepEqual(first[0], entries[0]);
});

onBoth('settings come back as they were, also what was left open', async (store) => {
  const { profile } = await withAnna(store);
  const { settings } = profile;
  const changed = profileNumber(0xa1, 'anna', {
    settings: {
      ...settings,
      blocking: { mode: 'CUSTOM_IP', ipv4: '192.0.2.1', ipv6: undefined },
      userRules: { enabled: true, rules: ['||ads.example^', '# 100 % _\\ "\'\u0000 ünï 🙂'] },
      safeBrowsing: { ...settings.safeBrowsing, blocking: { mode: 'NXDOMAIN', ipv4: undefined, ipv6: undefined } },
    },
  });
  await store.inTransaction((tx) => tx.profiles.add(changed));
  assert.deepEqual(await store.read.profiles.find(anna, changed.id), changed);
  const renamed = { ...changed, name: 'Büro' };
  assert.equal(await store.inTransaction((tx) => tx.profiles.update(renamed)), true);
  assert.deepEqual(await store.read.profiles.list(anna), [profile, renamed]);
});

onBoth('strategies of upstreams are stored with the rule and with the server', async (store) => {
  const { profile } = await withAnna(store);
  const ordered = forwardRuleOf('anna');
  const own = { ...profile.settings.own, upstreams: ['9.9.9.9', '1.1.1.1'], upstreamStrategy: 'parallel' as const };
  const server = { ...profile, settings: { ...profile.settings, own } };
  await store.inTransaction(async (tx) => {
    await tx.forwardRules.add(ordered);
    await tx.profiles.update(server);
  });
  assert.equal(ordered.strategy, 'ordered');
  assert.deepEqual(await store.read.forwardRules.list(anna), [ordered]);
  assert.deepEqual(await store.read.profiles.find(anna, profile.id), server);
  const unset = { ...ordered, strategy: undefined };
  assert.equal(await store.inTransaction((tx) => tx.forwardRules.update(unset)), true);
  assert.deepEqual(await store.read.forwardRules.list(anna), [unset]);
});

onBoth(
  'with a server its devices go to the default one, which itself stays; its records and rules go',
  async (store) => {
    const { profile } = await withAnna(store);
    const office = profileNumber(0xa1, 'anna');
    await store.inTransaction(async (tx) => {
      await tx.profiles.add(office);
      await tx.devices.add(deviceNumber(1, office));
      await tx.devices.add(deviceNumber(2, profile));
      await tx.localRecords.add(anna, [localRecordOf('anna', office.id), { ...localRecordOf('anna'), id: 'shared' }]);
      await tx.localRecords.add(anna, [{ ...localRecordOf('anna', profile.id), id: 'default' }]);
      await tx.forwardRules.add(forwardRuleOf('anna', office.id));
    });
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, office.id)), true);
    assert.equal(await store.read.profiles.find(anna, office.id), undefined);
    assert.deepEqual(
      (await store.read.devices.list(anna)).map((device) => device.profile),
      [profile.id, profile.id],
    );
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, profile.id)), false);
    assert.deepEqual((await store.read.localRecords.list(anna)).map(({ id }) => id).sort(), ['default', 'shared']);
    assert.deepEqual(await store.read.forwardRules.list(anna), []);
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, 'ffffffff' as ProfileId)), false);
  },
);
