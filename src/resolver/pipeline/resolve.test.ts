import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnswering, upstreamAnswer } from '../../../test/support/resolver/pipeline.ts';
import { a, record } from '../../../test/support/resolver/upstream/messages.ts';
import { findOption } from '../../dns/edns.ts';
import { optionCodes, rcodes, types } from '../../dns/numbers.ts';
import { negativeSoa } from './respond.ts';

const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };
const STALE_NXDOMAIN = 19;

test('an answer of 1,232 bytes with its OPT record fits in a datagram, one of 1,233 does not', async () => {
  // Header 12, question 17, record 12, OPT 11.
  const textLength = 1232 - 12 - 17 - 12 - 11;
  for (const more of [0, 1]) {
    const { bytesFor, upstream } = startAnswering();
    const text = record('www.example', types.TXT, new Uint8Array(textLength + more));
    upstream.answer = (question) => upstreamAnswer(question, { answer: [text] });
    for (const time of ['fresh', 'cached']) {
      const { bytes } = await bytesFor('www.example', { type: types.TXT, edns });
      assert.equal((bytes![2]! & 0x02) !== 0, more === 1, time);
      assert.equal(bytes!.length, more === 1 ? 12 + 17 + 11 : 1232);
    }
  }
});

test('a name that does not exist any more is not answered with older addresses', async () => {
  const { ask, upstream, clock } = startAnswering();
  const failing = upstream.answer;
  upstream.answer = (question) => upstreamAnswer(question, { answer: [a('www.example', '192.0.2.9', 60)] });
  await ask('www.example');
  clock.seconds += 61;
  const authority = [record('example', types.SOA, negativeSoa, 60)];
  upstream.answer = (question) => upstreamAnswer(question, { rcode: rcodes.NXDOMAIN, answer: [], authority });
  assert.equal((await ask('www.example', { type: types.AAAA })).message?.rcode, rcodes.NXDOMAIN);
  const fresh = await ask('www.example');
  assert.equal(fresh.isSync, true);
  assert.equal(fresh.message?.rcode, rcodes.NXDOMAIN);
  clock.seconds += 100;
  upstream.answer = failing;
  const stale = (await ask('www.example', { edns })).message;
  const error = findOption(stale!.edns!.options, optionCodes.extendedError)!;
  assert.deepEqual([stale?.rcode, stale?.authority[0]?.ttl, error[1]], [rcodes.NXDOMAIN, 30, STALE_NXDOMAIN]);
});
