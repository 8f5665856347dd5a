import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { Message } from '../src/dns/message.ts';
import { optionCodes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { type Over, overs } from './support/dig.ts';
import { startUpstream } from './support/resolver/upstream/upstream.ts';
import { askersOf, type Heard, startForEverybody } from './support/resolver.ts';
import { type OddQuery, oddButRight, refusedQueries } from './support/resolver-odd-queries.ts';

const PATIENCE_MS = 60_000;
const LONGEST_DATAGRAM = 1232;
const question = (bytes: Uint8Array, message: Uint8Array): string =>
  Buffer.from(bytes.subarray(12, questionEnd(message))).toString('hex');

test('odd queries', async (t) => {
  const upstream = await startUpstream(t);
  const { service } = await startForEverybody(t, upstream.text);
  const askers = askersOf(service);

  await t.test(
    'a malformed query is answered with its code or not at all, on every transport, and is not forwarded',
    async (t) => {
      for (const over of overs)
        for (const some of inGroups(refusedQueries, 25))
          await Promise.all(
            some.map(async (odd) => {
              const isSilence = odd.outcome === 'drop' && over !== 'doh' && (over === 'udp' || odd.bytes.length >= 12);
              const patienceMs = isSilence ? 700 : PATIENCE_MS;
              checkRefused(odd, over, await askers[over](odd.bytes, patienceMs));
            }),
          );
      assert.deepEqual([...upstream.udpQueries, ...upstream.queries], []);
      t.diagnostic(
        `P2 malformed queries: ${refusedQueries.length} of ${refusedQueries.length} rejected as specified on each of ${overs.length} transports`,
      );
    },
  );

  await t.test('an unusual but valid query is answered, and only the necessary parts are sent upstream', async (t) => {
    for (const over of overs)
      for (const some of inGroups(oddButRight, 25))
        await Promise.all(
          some.map(async (odd) => checkAnswered(odd, over, await askers[over](odd.bytes, PATIENCE_MS))),
        );

    const queries = [...upstream.udpQueries, ...upstream.queries];
    assert.ok(queries.length > 0);
    const clientCookies = new Set<string>();
    for (const { message, bytes } of queries) {
      const options = message.edns?.options ?? [];
      // Only our own cookie, over UDP: 8 bytes, the same for all clients.
      assert.deepEqual(
        options.filter(({ code }) => code !== optionCodes.cookie),
        [],
        'no option of the client goes upstream',
      );
      for (const { data } of options) clientCookies.add(Buffer.from(data).toString('hex'));
      const optionLength = options.reduce((sum, { data }) => sum + 4 + data.length, 0);
      assert.equal(message.questions.length, 1);
      assert.equal(message.additional.length, 0);
      assert.notEqual(message.questions[0]!.type, types.ANY);
      // Only header, question and an OPT record, and no trailing bytes of the query.
      assert.equal(bytes.length, questionEnd(bytes) + (message.edns ? 11 + optionLength : 0));
      assert.ok(!message.authoritative && !message.truncated && !message.recursionAvailable && message.rcode === 0);
    }
    // One per thread that sends queries.
    assert.ok(clientCookies.size <= availableParallelism() + 1, `${clientCookies.size} cookies`);
    t.diagnostic(
      `P2 unusual queries: ${oddButRight.length} of ${oddButRight.length} answered on each of ${overs.length} transports`,
    );
  });
});

function checkRefused({ title, bytes, outcome }: OddQuery, over: Over, heard: Heard): void {
  const what = `${title}, over ${over}`;
  if (outcome === 'drop') {
    // HTTP returns a status; other connections are closed, because message boundaries are unknown.
    if (over === 'doh') assert.deepEqual(heard, { kind: 'status', status: 400 }, what);
    else if (over === 'udp' || bytes.length >= 12) assert.deepEqual(heard, { kind: 'silence' }, what);
    else assert.deepEqual(heard, { kind: 'closed' }, what);
    return;
  }
  const said = messageIn(heard, what);
  assert.equal(said.rcode, rcodes[outcome], what);
  assert.equal(said.id, 0x1234, what);
  assert.equal(said.answer.length + said.authority.length, 0, what);
  if (outcome === 'BADVERS') assert.equal(said.edns?.version, 0, what);
}

function checkAnswered({ title, bytes }: OddQuery, over: Over, heard: Heard): void {
  const what = `${title}, over ${over}`;
  const said = messageIn(heard, what);
  assert.ok(heard.kind === 'answer');
  const flags = { asked: (bytes[2]! << 8) | bytes[3]!, told: (heard.bytes[2]! << 8) | heard.bytes[3]! };
  assert.equal(said.rcode, rcodes.NOERROR, what);
  assert.equal(said.id, 0x1234, what);
  // QR and RA are set, RD and CD are copied from the query, and the other flags are clear.
  assert.equal(flags.told & 0xfff0, 0x8080 | (flags.asked & 0x0110), what);
  assert.equal(
    question(heard.bytes, heard.bytes),
    question(bytes, bytes),
    `${what}: the question is echoed bit by bit`,
  );
  const asked = readMessage(bytes.slice());
  if (!asked.ok) return;
  assert.equal(said.edns === undefined, asked.value.edns === undefined, what);
  if (!said.edns) return;
  assert.equal(said.edns.udpSize, LONGEST_DATAGRAM, what);
  assert.equal(said.edns.dnssecOk, asked.value.edns!.dnssecOk, what);
  const known: readonly number[] = [optionCodes.cookie, ...(over === 'udp' ? [] : knownOnConnections(over))];
  for (const { code } of said.edns.options) assert.ok(known.includes(code), `${what}: option ${code}`);
}

const knownOnConnections = (over: Over): readonly number[] =>
  ({
    udp: [],
    tcp: [optionCodes.keepalive],
    dot: [optionCodes.keepalive, optionCodes.padding],
    doh: [optionCodes.padding],
  })[over];

function messageIn(heard: Heard, what: string): Message {
  assert.equal(heard.kind, 'answer', `${what}: ${JSON.stringify(heard)}`);
  assert.ok(heard.kind === 'answer');
  assert.ok(heard.bytes.length <= LONGEST_DATAGRAM, `${what}: ${heard.bytes.length} bytes`);
  const read = readMessage(new Uint8Array(heard.bytes));
  assert.ok(read.ok, `${what}: ${Buffer.from(heard.bytes).toString('hex')}`);
  assert.ok(read.value.response, what);
  return read.value;
}

/** Behind the name, type and class of the first question. */
function questionEnd(message: Uint8Array): number {
  if (((message[4]! << 8) | message[5]!) === 0) return 12;
  let at = 12;
  while (message[at]! !== 0) at += message[at]! + 1;
  return at + 5;
}

const inGroups = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
