import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { proxied, proxyHeader } from '../../../test/support/resolver/transport/proxy.ts';
import { readProxyHeader } from './proxy-protocol.ts';

const v4 = { client: '192.0.2.7', clientPort: 4711, local: '198.51.100.3', localPort: 853 };
const v6 = { client: '2001:db8::7', clientPort: 65535, local: '2001:db8::53', localPort: 53 };
const read = (bytes: Uint8Array) => readProxyHeader(bytes, 0, bytes.length);
const nothing = new Uint8Array();

test('the addresses of a header are the client and the destination of its query', () => {
  assert.deepEqual(read(proxied(v4)), {
    kind: 'proxied',
    length: 28,
    client: Uint8Array.of(192, 0, 2, 7),
    clientPort: 4711,
    local: Uint8Array.of(198, 51, 100, 3),
    localPort: 853,
  });
  const found = read(proxied(v6));
  assert.ok(found.kind === 'proxied');
  assert.deepEqual([found.length, found.client.length, found.clientPort, found.localPort], [52, 16, 65535, 53]);
});

test('an IPv4 address in IPv6 form is IPv4', () => {
  const mapped = Buffer.from(`${'00'.repeat(10)}ffffc0000207`, 'hex');
  const found = read(proxyHeader(0x21, 0x21, Buffer.concat([mapped, mapped, Buffer.alloc(4)])));
  assert.deepEqual(found.kind === 'proxied' && found.client, Uint8Array.of(192, 0, 2, 7));
});

test('extensions after the addresses are skipped', () => {
  const extras = Buffer.from('01000568656c6c6f040003aabbcc', 'hex');
  assert.equal(read(proxied(v4, extras)).kind, 'proxied');
});

test('a health check and an unknown family are the connection itself', () => {
  assert.deepEqual(read(proxyHeader(0x20, 0x00, nothing)), { kind: 'local', length: 16 });
  assert.deepEqual(read(proxyHeader(0x20, 0x11, Buffer.alloc(12))), { kind: 'local', length: 28 });
  assert.deepEqual(read(proxyHeader(0x21, 0x00, nothing)), { kind: 'local', length: 16 });
});

const malformed: Readonly<Record<string, Uint8Array>> = {
  'no header at all': Buffer.from('GET / HTTP/1.1\r\n'),
  'version 1, which is text': Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.3 4711 853\r\n'),
  'version 3': proxyHeader(0x31, 0x11, Buffer.alloc(12)),
  'an unknown command': proxyHeader(0x22, 0x11, Buffer.alloc(12)),
  'an unknown family': proxyHeader(0x21, 0x41, Buffer.alloc(12)),
  'a socket of this machine': proxyHeader(0x21, 0x31, Buffer.alloc(216)),
  'less than the addresses need': proxyHeader(0x21, 0x11, Buffer.alloc(11)),
  'IPv6 with the length of IPv4': proxyHeader(0x21, 0x21, Buffer.alloc(12)),
  'an extra that is longer than the header': proxied(v4, Buffer.from('01000568', 'hex')),
  'a rest too short for an extra': proxied(v4, Buffer.from('0100', 'hex')),
  'more than anybody needs': proxyHeader(0x20, 0x00, Buffer.alloc(16), 4000),
};

for (const [name, bytes] of Object.entries(malformed))
  test(`malformed: ${name}`, () => {
    assert.deepEqual(read(bytes), { kind: 'malformed' });
  });

test('a header that is cut anywhere is not yet whole; what follows it is not touched', () => {
  for (const whole of [proxied(v4), proxied(v6), proxyHeader(0x20, 0x00, Buffer.alloc(5))]) {
    for (let cut = 0; cut < whole.length; cut++) assert.deepEqual(read(whole.subarray(0, cut)), { kind: 'more' });
    const found = read(Buffer.concat([whole, Buffer.from('anything')]));
    assert.equal('length' in found && found.length, whole.length);
  }
});

test('no bytes make it throw or read past the end', () => {
  const start = fc.constantFrom(...Object.values(malformed), proxied(v4), proxied(v6));
  fc.assert(
    fc.property(start, fc.array(fc.tuple(fc.nat(60), fc.nat(255))), (bytes, changes) => {
      const changed = Uint8Array.from(bytes);
      for (const [at, value] of changes) if (at < changed.length) changed[at] = value;
      const found = read(changed);
      if ('length' in found) assert.ok(found.length <= changed.length);
    }),
  );
});
