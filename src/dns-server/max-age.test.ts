import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, queryFor, type ResourceRecord } from '../dns/message.ts';
import { types } from '../dns/numbers.ts';
import { zoneAuthorityData } from '../dns/record-data.ts';
import { cacheSeconds } from '../dns/ttl.ts';
import { writeMessage } from '../dns/write-message.ts';
import { wireName } from '../kit/wire-name.ts';
import { maxAge } from './max-age.ts';

const name = wireName('www.example')!;
const address = (ttl: number): ResourceRecord => ({ name, type: types.A, class: 1, ttl, data: new Uint8Array(4) });
const alias = (ttl: number): ResourceRecord => ({ ...address(ttl), type: types.CNAME, data: wireName('a.example')! });
const zone = (ttl: number, minimum: number): ResourceRecord => ({
  ...address(ttl),
  type: types.SOA,
  data: zoneAuthorityData({
    primary: 'ns.example',
    mailbox: 'nobody.example',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum,
  })!,
});

const cases: readonly (readonly [why: string, Partial<Message>, seconds: number])[] = [
  ['the shortest record', { answer: [alias(500), address(40), address(60)] }, 40],
  ['not longer than a day', { answer: [address(1_000_000)] }, 86_400],
  ['nothing there: the SOA and its minimum', { rcode: 3, authority: [zone(300, 100)] }, 100],
  ['an alias that leads nowhere', { answer: [alias(20)], authority: [zone(300, 100)] }, 20],
  ['nothing there, and nobody says for how long', { rcode: 3 }, 0],
  ['not longer than an hour', { authority: [zone(90_000, 90_000)] }, 3600],
  ['a fault', { rcode: 2 }, 0],
  ['refused', { rcode: 5, answer: [address(40)] }, 0],
  ['cut off', { truncated: true, answer: [address(40)] }, 0],
];

test('a cache of HTTP may keep an answer as long as its shortest record lives', () => {
  for (const [why, changes, seconds] of cases) {
    const message: Message = { ...queryFor({ name, type: types.A, class: 1 }, 7), response: true, ...changes };
    const written = writeMessage(message);
    // Not at offset 0: the code must not rely on that.
    const bytes = new Uint8Array(written.length + 20);
    bytes.set(written, 9);
    assert.equal(maxAge(bytes, 9, written.length), seconds, why);
    assert.equal(cacheSeconds(message), seconds, why);
  }
});
