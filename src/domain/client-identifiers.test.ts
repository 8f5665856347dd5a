import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClientIdentifier, clientIdentifiers } from './client-identifiers.ts';

const check = (requested: readonly ClientIdentifier[], before: readonly ClientIdentifier[] = []) =>
  clientIdentifiers(requested, before, 'private');

const valid: readonly (readonly [kind: ClientIdentifier['kind'], text: string, value: string])[] = [
  ['mac', ' A0-B1-C2-D3-E4-F5 ', 'a0:b1:c2:d3:e4:f5'],
  ['address', '192.168.1.20', '192.168.1.20'],
  ['address', '::ffff:10.0.0.1', '10.0.0.1'],
  ['address', 'FD00:0::1', 'fd00::1'],
  ['network', '192.168.1.77/24', '192.168.1.0/24'],
  ['network', 'fd00::1/8', 'fd00::/8'],
  ['host name', 'Tablet.LAN.', 'tablet.lan'],
  ['host name', 'iphone-*', 'iphone-*'],
  ['host name', '*.kids.lan', '*.kids.lan'],
];
for (const [kind, text, value] of valid)
  test(`the ${kind} "${text}" is ${value}`, () => {
    assert.deepEqual(check([{ kind, value: text }]), { ok: true, value: [{ kind, value }] });
  });

const wrong: readonly (readonly [kind: ClientIdentifier['kind'], text: string, why: RegExp])[] = [
  ['mac', 'a0:b1', /MAC address/],
  ['address', '192.168.1', /IP address/],
  ['address', '203.0.113.1', /private network/],
  ['address', '192.168.1.0/24', /IP address/],
  ['network', '192.168.1.0/33', /network such as/],
  ['network', '203.0.113.0/24', /private network/],
  ['network', '0.0.0.0/0', /private network/],
  ['network', '192.0.0.0/8', /private network/],
  ['host name', 'two words', /host name/],
  ['host name', 'a..b', /host name/],
  ['host name', '192.168.1.20', /host name/],
  ['host name', `${'a'.repeat(254)}`, /host name/],
  ['host name', '*', /at least 2 characters/],
  ['host name', '*.a.*', /at least 2 characters/],
];
for (const [kind, text, why] of wrong)
  test(`the ${kind} "${text.slice(0, 30)}" is refused with its path`, () => {
    const result = check([
      { kind: 'mac', value: 'a0:b1:c2:d3:e4:f5' },
      { kind, value: text },
    ]);
    assert.ok(!result.ok && result.error.kind === 'invalid');
    const [error, ...others] = result.error.errors;
    assert.equal(error!.field, 'identifiers[1].value');
    assert.match(error!.message, why);
    assert.deepEqual(others, []);
  });

test('an identifier is in the list once, and the list has at most 32', () => {
  const twice = check([
    { kind: 'mac', value: 'a0:b1:c2:d3:e4:f5' },
    { kind: 'mac', value: 'A0B1C2D3E4F5' },
  ]);
  assert.ok(!twice.ok && twice.error.kind === 'invalid');
  assert.match(twice.error.errors[0]!.message, /twice/);
  const many = Array.from({ length: 33 }, (_, i): ClientIdentifier => ({ kind: 'host name', value: `host-${i}` }));
  assert.equal(check(many.slice(0, 32)).ok, true);
  assert.equal(check(many).ok, false);
});

test('an account that may not claim local clients can only remove identifiers', () => {
  const before: ClientIdentifier[] = [
    { kind: 'mac', value: 'a0:b1:c2:d3:e4:f5' },
    { kind: 'host name', value: 'tv' },
  ];
  assert.deepEqual(clientIdentifiers([before[1]!], before, 'none'), { ok: true, value: [before[1]] });
  assert.deepEqual(clientIdentifiers([{ kind: 'host name', value: 'pc' }], before, 'none'), {
    ok: false,
    error: { kind: 'forbidden', why: 'Only the operator of this installation may add identifiers' },
  });
});
