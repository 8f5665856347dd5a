import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerAsync, DnsRequest } from '../resolver/transport/listener.ts';
import { countInFlight } from './in-flight.ts';

const bytes = new Uint8Array(4);
const request: DnsRequest = {
  bytes,
  at: 0,
  length: 4,
  transport: 'udp',
  client: bytes,
  clientPort: 53,
  local: bytes,
};

test('waits until no query is in flight', async () => {
  const replies: ((bytes: Uint8Array | undefined) => void)[] = [];
  const answerAsync: AnswerAsync = (_, reply) => void replies.push(reply);
  const inFlight = countInFlight(answerAsync);
  const given: unknown[] = [];
  for (const _ of ['one', 'two']) inFlight.answerAsync(request, (reply) => void given.push(reply));
  const waited = inFlight.settled(60_000).then(() => given.length);
  for (const reply of replies) setTimeout(reply, 20, bytes);
  assert.equal(await waited, 2);
});

test('does not wait longer than its limit', async () => {
  const inFlight = countInFlight(() => undefined);
  inFlight.answerAsync(request, () => assert.fail('unexpected reply'));
  await inFlight.settled(30);
});

test('returns if no query is in flight', async () => {
  await countInFlight(() => undefined).settled(60_000);
});
