import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { name, question, readQuery } from '../../../test/support/resolver/upstream/messages.ts';
import { foldedName, queryBytes, questionKey } from './upstream-query.ts';

test('a query contains the question, and no data of the client', () => {
  const { message } = readQuery(queryBytes(question('example.com', { dnssecOk: true }), { id: 0x1234, edns: true }));
  assert.equal(message.id, 0x1234);
  assert.equal(message.recursionDesired, true);
  assert.deepEqual(message.edns, { udpSize: 1232, version: 0, dnssecOk: true, options: [] });
});

test('without EDNS there is no OPT', () => {
  assert.equal(readQuery(queryBytes(question('example.com'), { id: 1, edns: false })).message.edns, undefined);
});

test('the client’s subnet is sent when given', () => {
  const clientSubnet = Uint8Array.of(0, 1, 24, 0, 192, 0, 2);
  const { message } = readQuery(queryBytes(question('example.com', { clientSubnet }), { id: 1, edns: true }));
  assert.deepEqual(message.edns?.options, [{ code: 8, data: clientSubnet }]);
});

test('lengths of labels and bytes other than letters stay unchanged', () => {
  const odd = Uint8Array.from([33, ...new Uint8Array(33).fill(0xe4), 1, 0x5b, 1, 0x40, 0]);
  assert.deepEqual(foldedName(odd), odd);
});

test('questions have the same key if and only if they are the same but for case', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 4 });
  const wire = fc
    .array(label, { maxLength: 3 })
    .map((labels) => Uint8Array.from([...labels.flatMap((bytes) => [bytes.length, ...bytes]), 0]));
  const asked = fc.record({
    name: wire,
    type: fc.nat(3),
    class: fc.constantFrom(1, 3),
    dnssecOk: fc.boolean(),
    checkingDisabled: fc.boolean(),
  });
  fc.assert(
    fc.property(asked, asked, (one, other) => {
      const same =
        Buffer.compare(foldedName(one.name), foldedName(other.name)) === 0 &&
        one.type === other.type &&
        one.class === other.class &&
        one.dnssecOk === other.dnssecOk &&
        one.checkingDisabled === other.checkingDisabled;
      assert.equal(questionKey(one) === questionKey(other), same);
    }),
  );
  assert.equal(questionKey(question('Example.COM')), questionKey(question('example.com')));
  assert.notEqual(
    questionKey({ ...question('x'), name: Uint8Array.from([3, 97, 46, 98, 0]) }),
    questionKey({ ...question('x'), name: name('a.b') }),
  );
});
