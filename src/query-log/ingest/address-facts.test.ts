import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressFacts } from './address-facts.ts';

const address = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, ...Array(16 - bytes.length).fill(0)]);
const [publicAddress, otherAddress] = [address(203, 0, 113, 77), address(198, 51, 100, 1)];
const ipv6 = Uint8Array.from([0x20, 0x01, 0x0d, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

function factsWith(hasGeoIp: boolean) {
  const asked: string[] = [];
  const of = (bytes: Uint8Array) => {
    asked.push(bytes.join('.'));
    return { country: bytes[0] === 203 ? 'DE' : 'FR', asn: 64_500, network: 'Example Net' };
  };
  const nothing = () => ({ country: undefined, asn: undefined, network: undefined });
  const facts = createAddressFacts({ of: hasGeoIp ? of : nothing, refresh: () => {} }, hasGeoIp);
  return {
    client: (bytes: Uint8Array, length: number, isKept: boolean): number => facts.client(bytes, length, isKept),
    answer: (bytes: Uint8Array, length: number, rcode: number): number => facts.answer(bytes, length, rcode),
    facts: facts.facts,
    country: facts.country,
    clear: facts.clear,
    asked,
  };
}

test('a public address is stored as its network, a private one whole', () => {
  const { client, facts } = factsWith(false);
  const subnet = (bytes: Uint8Array, length: number): string | undefined => facts(client(bytes, length, true)).subnet;
  assert.equal(subnet(publicAddress, 4), '203.0.113.0/24');
  assert.equal(subnet(ipv6, 16), '2001:db8:102:300::/56');
  assert.equal(subnet(address(192, 168, 1, 5), 4), '192.168.1.5');
  assert.equal(publicAddress[3], 77);
});

test('of an address that must not be stored only the location is known', () => {
  const { client, facts } = factsWith(true);
  assert.deepEqual(facts(client(publicAddress, 4, false)), {
    country: 'DE',
    asn: 64_500,
    network: 'Example Net',
    subnet: undefined,
  });
  assert.equal(facts(client(publicAddress, 4, true)).subnet, '203.0.113.0/24');
  const without = factsWith(false);
  assert.equal(without.client(publicAddress, 4, false), 0);
  assert.equal(without.client(publicAddress, 0, true), 0);
  assert.deepEqual(
    Object.values(without.facts(0)).filter((fact) => fact !== undefined),
    [],
  );
});

test('each address is looked up once', () => {
  const { client, answer, asked, clear } = factsWith(true);
  for (const _ of [1, 2]) {
    client(publicAddress, 4, true);
    client(ipv6, 16, true);
    answer(otherAddress, 4, 0);
  }
  assert.equal(asked.length, 3);
  clear();
  client(publicAddress, 4, true);
  assert.equal(asked.length, 4);
});

test('the country of an answer is that of its first address; without an address it is "not applicable"', () => {
  const { answer, country } = factsWith(true);
  assert.equal(country(answer(publicAddress, 4, 0)), 'DE');
  assert.equal(country(answer(otherAddress, 4, 0)), 'FR');
  assert.equal(country(answer(publicAddress, 4, 3)), 'QN');
  assert.equal(country(answer(publicAddress, 0, 0)), 'QN');
  const without = factsWith(false);
  assert.equal(without.country(without.answer(publicAddress, 4, 0)), undefined);
});
