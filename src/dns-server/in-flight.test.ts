import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerLater, Asked } from '../resolver/transport/listener.ts';
import { countUnderWay } from './in-flight.ts';

const nobody = new Uint8Array(4);
const asked: Asked = {
  bytes: nobody,
  at: 0,
  length: 4,
  transport: 'udp',
  client: nobody,
  clientPort: 53,
  local: nobody,
};

test('waits until all answers are given', async () => {
  const replies: ((bytes: Uint8Array | undefined) => void)[] = [];
  const later: AnswerLater = (_, reply) => void replies.push(reply);
  const underWay = countUnderWay(later);
  const given: unknown[] = [];
  for (const _ of ['one', 'two']) underWay.later(asked, (bytes) => void given.push(bytes));
  const waited = underWay.given(60_000).then(() => given.length);
  for (const reply of replies) setTimeout(reply, 20, nobody);
  assert.equal(await waited, 2);
});

test('does not wait longer than it may', async () => {
  const underWay = countUnderWay(() => undefined);
  underWay.later(asked, () => assert.fail('there is no answer'));
  await underWay.given(30);
});

test('does not wait for answers where there are none', async () => {
  await countUnderWay(() => undefined).given(60_000);
});
