import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wireName } from '../../kit/wire-name.ts';
import { isAtOrUnder, isName, suffix } from './wire-suffix.ts';

const labels = fc.array(
  fc
    .uint8Array({ minLength: 1, maxLength: 6 })
    .map((bytes) => bytes.map((byte) => [0x61, 0x41, 1, 2, 3, byte][byte % 6]!)),
  { maxLength: 5 },
);
const wire = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from([...parts.flatMap((label) => [label.length, ...label]), 0]);
const folded = (label: Uint8Array): string =>
  Buffer.from(label)
    .toString('latin1')
    .replaceAll(/[A-Z]/g, (c) => c.toLowerCase());

test('a name is under a domain if its last labels are those of the domain, with any bytes', () => {
  fc.assert(
    fc.property(labels, labels, fc.boolean(), (own, domain, isBelow) => {
      const name = isBelow ? [...own, ...domain] : own;
      const bytes = Uint8Array.of(7, ...wire(name), 7);
      const lower = wire(domain.map((label) => Buffer.from(folded(label), 'latin1')));
      const tail = name.slice(name.length - domain.length);
      const isSame =
        name.length >= domain.length && domain.every((label, index) => folded(label) === folded(tail[index]!));
      assert.equal(isAtOrUnder(bytes, 1, bytes.length - 1, lower), isSame);
      assert.equal(isName(bytes, 1, bytes.length - 1, lower), isSame && name.length === domain.length);
    }),
    { numRuns: 5000 },
  );
});

test('a label that contains the bytes of a domain is not the domain', () => {
  const bytes = wireName('\\004home\\007example')!;
  assert.equal(isAtOrUnder(bytes, 0, bytes.length, suffix('home.example')!), false);
});

test('a domain is compared in lower case', () => {
  assert.deepEqual(suffix('Example.ORG'), wireName('example.org'));
  assert.equal(suffix('a..b'), undefined);
});
