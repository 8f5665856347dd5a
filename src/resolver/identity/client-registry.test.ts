import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, profileWith } from '../../../test/support/resolver/directory.ts';
import { newQuestion } from '../../dns/question.ts';
import { createLocalNameRegistry } from '../local-names/local-name-registry.ts';
import { addressBytes } from './address-key.ts';
import type { Client } from './client.ts';
import { createClientRegistry } from './client-registry.ts';
import { GLOBAL, versionSlot } from './client-updates.ts';
import type { DirectoryAccount } from './directory.ts';
import { identifySettings } from './identify.ts';
import { NO_CLAIM } from './identity-throttle.ts';

const home = profileWith('aaaaaaaa');
const bens = profileWith('bbbbbbbb');
const [tablet, tv] = [deviceWith('00000001', home.id), deviceWith('00000002', home.id)];
const account = (identifiers: DirectoryAccount['identifiers']): DirectoryAccount =>
  accountWith('anna', { profiles: [home], devices: [tablet, tv], ...(identifiers && { identifiers }) });

function start(identifiers: DirectoryAccount['identifiers']) {
  const configVersions = new Int32Array(4096);
  const registry = createClientRegistry({
    identify: identifySettings({
      deviceDomain: 'd.example.org',
      deviceNetwork: undefined,
      dedicatedPool: [],
      unknownClients: 'refuse',
    }),
    throttle: { begin: () => NO_CLAIM, end: () => undefined, counts: () => ({ unknown: 0, throttled: 0 }) },
    configVersions,
    localNames: createLocalNameRegistry(new Uint8Array(8)),
    ruleTablesOf: () => ({ userRules: undefined, accessRules: undefined }),
    useRuleTables: () => undefined,
    toClient: (known) => ({ kind: 'known', ...known }) as Client,
    makeDevice: async () => false,
    onNewClientId: () => undefined,
  });
  registry.replace([account(identifiers)], [], new Map());
  const local = addressBytes('192.168.1.2')!;
  return {
    registry,
    /** How often all cached clients became outdated. */
    changes: (): number => configVersions[GLOBAL]! - 1,
    changesOf: (id: string): number => configVersions[versionSlot(id)]!,
    at: (address: string): string | undefined => {
      const client = addressBytes(address)!;
      const request = {
        bytes: new Uint8Array(),
        at: 0,
        length: 0,
        transport: 'udp',
        client,
        clientPort: 1,
        local,
      } as const;
      const result = registry.identify(request, newQuestion());
      return result.kind === 'known' && result.identity.kind === 'device' ? result.identity.device.id : undefined;
    },
  };
}

test('a device is identified by its MAC address after its address has changed', () => {
  const mac = '02:00:00:00:00:01';
  const { registry, changes, at } = start([{ kind: 'mac', value: mac, device: tablet.id }]);
  assert.equal(at('192.168.1.20'), undefined);
  registry.setHosts([{ address: '192.168.1.20', mac, names: [] }]);
  assert.equal(at('192.168.1.20'), tablet.id);
  registry.setHosts([{ address: '192.168.1.77', mac, names: [] }]);
  assert.equal(at('192.168.1.20'), undefined);
  assert.equal(at('192.168.1.77'), tablet.id);
  assert.equal(changes(), 2);
});

test('hosts that identify no other device than before leave cached clients valid', () => {
  const { registry, changes } = start([{ kind: 'host name', value: 'tv-*', device: tv.id }]);
  registry.setHosts([{ address: '192.168.1.20', mac: '02:00:00:00:00:01', names: ['laptop'] }]);
  assert.equal(changes(), 0);
  registry.setHosts([
    { address: '192.168.1.20', mac: '02:00:00:00:00:01', names: ['laptop'] },
    { address: '192.168.1.30', names: ['tv-kitchen'] },
  ]);
  assert.equal(changes(), 1);
  registry.setHosts([{ address: '192.168.1.30', names: ['tv-kitchen.lan'] }]);
  assert.equal(changes(), 1);
  // A query with this MAC address is one of the television now.
  registry.setHosts([{ address: '192.168.1.30', mac: '02:00:00:00:00:03', names: ['tv-kitchen.lan'] }]);
  assert.equal(changes(), 2);
  registry.setHosts([]);
  assert.equal(changes(), 3);
});

test('a change of settings outdates the clients of its account only', () => {
  const { registry, changes, changesOf } = start([]);
  const linked = deviceWith('00000003', bens.id, { linkedIp: '192.0.2.7' });
  const ben = accountWith('ben', { profiles: [bens], devices: [linked] });
  registry.replace([ben], [], new Map());
  const [all, annas] = [changes(), changesOf('anna')];
  assert.notEqual(versionSlot('anna'), versionSlot('ben'));
  const settings = { ...bens.settings, blockTtlSeconds: 77 };
  const sameClients = [
    { ...ben, logEnabled: !ben.logEnabled },
    { ...ben, profiles: [{ ...bens, settings }] },
    { ...ben, devices: [{ ...linked, name: 'Renamed', protectionEnabled: false }] },
  ];
  for (const [index, changed] of sameClients.entries()) {
    registry.replace([changed], [], new Map());
    assert.deepEqual([changes(), changesOf('anna'), changesOf('ben')], [all, annas, 2 + index]);
  }
});

test('a change that may identify any client differently outdates all clients', () => {
  const { registry, changes } = start([]);
  const device = deviceWith('00000003', bens.id, {});
  const ben = accountWith('ben', {
    profiles: [bens],
    devices: [device],
    dedicated: [{ ip: '192.0.2.9', device: undefined }],
  });
  const identifier = { kind: 'host name', value: 'tv', device: device.id } as const;
  const otherClients: readonly DirectoryAccount[] = [
    ben,
    { ...ben, isSuspended: true },
    { ...ben, devices: [{ ...device, linkedIp: '192.0.2.7' }] },
    { ...ben, devices: [{ ...device, dohAuthOnly: true }] },
    { ...ben, devices: [] },
    { ...ben, identifiers: [identifier] },
    { ...ben, dedicated: [{ ip: '192.0.2.9', device: device.id }] },
    { ...ben, networks: [{ network: '10.0.0.0/8', profile: bens.id }] },
    { ...ben, profiles: [bens, profileWith('cccccccc')] },
  ];
  for (const changed of otherClients) {
    const before = changes();
    registry.replace([changed], [], new Map());
    assert.equal(changes(), before + 1);
    registry.replace([ben], [], new Map());
  }
  const before = changes();
  registry.replace([], [ben.id], new Map());
  assert.equal(changes(), before + 1);
});

test('the client of the query before is used again for its address, until something changes', () => {
  const address = '192.168.1.20';
  const { registry, at } = start([{ kind: 'address', value: address, device: tablet.id }]);
  for (let i = 0; i < 3; i++) assert.equal(at(address), tablet.id);
  assert.equal(at('192.168.1.21'), undefined);
  assert.equal(at(address), tablet.id);
  registry.replace([account([{ kind: 'address', value: address, device: tv.id }])], [], new Map());
  assert.equal(at(address), tv.id);
});
