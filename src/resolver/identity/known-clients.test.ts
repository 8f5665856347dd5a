import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQuestion } from '../../dns/question.ts';
import type { Client, ClientResult } from './client.ts';
import { type ClientUpdate, GLOBAL, type KnownClientUpdate } from './client-updates.ts';
import { knownClients } from './known-clients.ts';

const client = Uint8Array.of(192, 0, 2, 1);
const local = Uint8Array.of(192, 0, 2, 53);
const request = { bytes: new Uint8Array(), at: 0, length: 0, transport: 'udp', client, clientPort: 1, local } as const;
const SLOT = 7;

function clientUpdate(version: number, logEnabled: boolean, changes: Partial<ClientUpdate> = {}): ClientUpdate {
  const identity = { kind: 'guest', profile: { id: 'home' }, account: { id: 'account', logEnabled } };
  const result = { kind: 'known', clientId: 1, accountSlot: 1, profileVersion: 3, identity };
  return {
    kind: 'client update',
    client,
    local,
    device: new Uint8Array(),
    mac: new Uint8Array(),
    result: result as unknown as KnownClientUpdate,
    slot: SLOT,
    version,
    globalVersion: 0,
    ...changes,
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

test('clients behind one forwarder differ by their MAC addresses, which count from a private address only', () => {
  const clients = knownClients(
    new Int32Array(16),
    ({ clientId }) => ({ kind: 'known', clientId }) as unknown as Client,
  );
  const macs = [Uint8Array.of(2, 0, 0, 0, 0, 1), Uint8Array.of(2, 0, 0, 0, 0, 2)] as const;
  const [router, remote] = [Uint8Array.of(192, 168, 1, 1), Uint8Array.of(203, 0, 113, 1)];
  const known = (clientId: number): KnownClientUpdate =>
    ({ ...(clientUpdate(0, true).result as KnownClientUpdate), clientId }) as KnownClientUpdate;
  const identify = (source: Uint8Array, mac: Uint8Array): ClientResult => {
    const bytes = Uint8Array.of(9, ...mac, 9);
    const question = { ...newQuestion(), macAt: 1, macLength: mac.length };
    return clients.identify({ ...request, client: source, bytes }, question);
  };
  clients.applyUpdate(clientUpdate(0, true, { client: router, mac: macs[0], result: known(1) }));
  clients.applyUpdate(clientUpdate(0, true, { client: router, mac: macs[1], result: known(2) }));
  clients.applyUpdate(clientUpdate(0, true, { client: router, result: known(3) }));
  clients.applyUpdate(clientUpdate(0, true, { client: remote, result: known(4) }));
  const idOf = (result: ClientResult): number | undefined => (result.kind === 'known' ? result.clientId : undefined);
  assert.equal(idOf(identify(router, macs[0])), 1);
  assert.equal(idOf(identify(router, macs[1])), 2);
  assert.equal(identify(router, Uint8Array.of(2, 0, 0, 0, 0, 3)).kind, 'needs lookup');
  assert.equal(idOf(clients.identify({ ...request, client: router }, newQuestion())), 3);
  assert.equal(idOf(identify(remote, macs[0])), 4);
});

test('a MAC address with the hash of another is not taken for it', () => {
  // Found by trying: both have one hash with these addresses.
  const [mac, other] = [Buffer.from('2d6c50388f53', 'hex'), Buffer.from('62673f924c37', 'hex')];
  const source = { ...request, client: Uint8Array.of(192, 168, 1, 1) };
  const clients = knownClients(
    new Int32Array(16),
    ({ clientId }) => ({ kind: 'known', clientId }) as unknown as Client,
  );
  clients.applyUpdate(clientUpdate(0, true, { client: source.client, mac }));
  const identify = (bytes: Uint8Array) =>
    clients.identify({ ...source, bytes }, { ...newQuestion(), macLength: 6 }).kind;
  assert.equal(identify(mac), 'known');
  assert.equal(identify(other), 'needs lookup');
});
