import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQuestion } from '../../dns/question.ts';
import type { Client } from './client.ts';
import { type ClientUpdate, GLOBAL, type KnownClientUpdate } from './client-updates.ts';
import { knownClients } from './known-clients.ts';

const client = Uint8Array.of(192, 0, 2, 1);
const local = Uint8Array.of(192, 0, 2, 53);
const request = { bytes: new Uint8Array(), at: 0, length: 0, transport: 'udp', client, clientPort: 1, local } as const;
const SLOT = 7;

function clientUpdate(version: number, logEnabled: boolean): ClientUpdate {
  const identity = { kind: 'guest', profile: { id: 'home' }, account: { id: 'account', logEnabled } };
  const result = { kind: 'known', clientId: 1, accountSlot: 1, profileVersion: 3, identity };
  return {
    kind: 'client update',
    client,
    local,
    device: new Uint8Array(),
    result: result as unknown as KnownClientUpdate,
    slot: SLOT,
    version,
    globalVersion: 0,
  };
}

test('a client is known until its account changes, and then by the new settings', () => {
  const configVersions = new Int32Array(16);
  const clients = knownClients(configVersions, ({ identity }) => ({ kind: 'known', identity }) as unknown as Client);
  const identify = () => clients.identify(request, newQuestion());
  assert.equal(identify().kind, 'needs lookup');
  clients.applyUpdate(clientUpdate(0, true));
  const before = identify() as Client;
  assert.equal(before.identity.account.logEnabled, true);
  Atomics.add(configVersions, SLOT, 1);
  assert.equal(identify().kind, 'needs lookup');
  clients.applyUpdate(clientUpdate(1, false));
  const after = identify() as Client;
  assert.equal(after.identity.account.logEnabled, false);
  assert.equal(after.identity.profile, before.identity.profile, 'the profile of one version is one object');
  Atomics.add(configVersions, GLOBAL, 1);
  assert.equal(identify().kind, 'needs lookup');
});
