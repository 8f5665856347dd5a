import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../dns/message.ts';
import { classes, rcodes, types } from '../dns/numbers.ts';
import { readMessage } from '../dns/read-message.ts';
import { writeMessage } from '../dns/write-message.ts';
import { parseIp } from '../kit/ip-address.ts';
import { wireName } from '../kit/wire-name.ts';
import { ptrNames, ptrQuery } from './ptr-query.ts';

const address = parseIp('192.168.1.5')!;
const asked = wireName('5.1.168.192.in-addr.arpa')!;

function reply(names: readonly string[], more: Partial<Message> = {}): Uint8Array {
  const read = readMessage(ptrQuery(address, 7));
  assert.ok(read.ok);
  const answer = names.map((name) => ({
    name: asked,
    type: types.PTR,
    class: classes.IN,
    ttl: 60,
    data: wireName(name)!,
  }));
  return writeMessage({ ...read.value, response: true, answer, ...more });
}

test('the names of a reply are host names without a trailing dot', () => {
  assert.deepEqual(ptrNames(reply(['laptop.lan', 'Desk']), address, 7), ['laptop.lan', 'desk']);
});

test('markup, addresses and the question itself are not names', () => {
  const odd = ['<b>x</b>.lan', String.raw`a\032b`, '192.168.1.5', '5.1.168.192.in-addr.arpa', 'ok.lan'];
  assert.deepEqual(ptrNames(reply(odd), address, 7), ['ok.lan']);
  assert.deepEqual(ptrNames(reply(['a', 'b', 'c', 'd', 'e']), address, 7), ['a', 'b', 'c', 'd']);
});

test('a reply without the name is empty, a reply to another query is not accepted', () => {
  assert.deepEqual(ptrNames(reply([], { rcode: rcodes.NXDOMAIN }), address, 7), []);
  assert.equal(ptrNames(reply(['laptop.lan']), address, 8), undefined);
  assert.equal(ptrNames(reply(['laptop.lan']), parseIp('192.168.1.6')!, 7), undefined);
  assert.equal(ptrNames(reply(['laptop.lan'], { response: false }), address, 7), undefined);
  assert.equal(ptrNames(reply(['laptop.lan'], { questions: [] }), address, 7), undefined);
  assert.equal(ptrNames(Uint8Array.of(1, 2, 3), address, 7), undefined);
});

test('names of other addresses in the reply are left out', () => {
  const other = wireName('6.1.168.192.in-addr.arpa')!;
  const record = { name: other, type: types.PTR, class: classes.IN, ttl: 60, data: wireName('other.lan')! };
  assert.deepEqual(ptrNames(reply([], { answer: [record] }), address, 7), []);
});
