import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryFor } from '../src/dns/message.ts';
import { classes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { answerTo, name, type Query } from './support/resolver/upstream/messages.ts';
import { type OnMessage, startUpstream } from './support/resolver/upstream/upstream.ts';
import { askersOf, startForEverybody } from './support/resolver.ts';

/** As cheap routers answer: with the name in lower case. */
function inLowerCase(query: Query): Uint8Array {
  const bytes = Uint8Array.from(answerTo(query));
  const end = 12 + query.message.questions[0]!.name.length;
  for (let at = 12; at < end; at++) if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! |= 0x20;
  return bytes;
}

const hasCapitals = (query: Query): boolean =>
  query.message.questions[0]!.name.some((byte) => byte >= 0x41 && byte <= 0x5a);

const tcpServers: Readonly<Record<string, OnMessage>> = {
  'with TCP': (query, { reply }) => reply(inLowerCase(query)),
  'without TCP': (_query, { socket }) => void socket.destroy(),
};

for (const [what, tcp] of Object.entries(tcpServers))
  test(`an upstream ${what} that answers in lower case is recognised, and then gets lower case`, async (t) => {
    const server = await startUpstream(t, { udp: (query, reply) => reply(inLowerCase(query)), tcp });
    const home = await startForEverybody(t, server.text, ['--udp-threads', '1']);
    const { udp } = askersOf(home.service);
    const ask = async (number: number): Promise<number> => {
      const question = { name: name(`letters-of-number-${number}.example`), type: types.A, class: classes.IN };
      const heard = await udp(writeMessage(queryFor(question, 7)), 9_000);
      const read = readMessage(Uint8Array.from(heard.kind === 'answer' ? heard.bytes : []));
      return read.ok ? read.value.rcode : -1;
    };
    const codes: number[] = [];
    const times: number[] = [];
    for (let number = 0; number < 8; number++) {
      const begun = performance.now();
      codes.push(await ask(number));
      times.push(Math.round(performance.now() - begun));
    }
    t.diagnostic(`${what}: ${codes.join(' ')} in ${times.join(' ')} ms`);
    assert.deepEqual(codes.slice(-3), [rcodes.NOERROR, rcodes.NOERROR, rcodes.NOERROR]);
    const seen = server.udpQueries.length;
    assert.equal(await ask(100), rcodes.NOERROR);
    const later = server.udpQueries.slice(seen);
    assert.equal(later.length, 1);
    assert.equal(later.some(hasCapitals), false);
  });

test('with case-randomization off no upstream gets random case', async (t) => {
  const server = await startUpstream(t);
  const home = await startForEverybody(t, server.text, ['--udp-threads', '1', '--case-randomization', 'off']);
  const { udp } = askersOf(home.service);
  for (let number = 0; number < 3; number++) {
    const question = { name: name(`letters-of-number-${number}.example`), type: types.A, class: classes.IN };
    assert.equal((await udp(writeMessage(queryFor(question, 7)), 9_000)).kind, 'answer');
  }
  assert.ok(server.udpQueries.length >= 3);
  assert.equal(server.udpQueries.some(hasCapitals), false);
});
