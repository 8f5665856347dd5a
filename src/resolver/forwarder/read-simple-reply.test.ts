import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerTo, readQuery } from '../../../test/support/resolver/upstream/messages.ts';
import { optionCodes, types } from '../../dns/numbers.ts';
import { wireName } from '../../kit/wire-name.ts';
import { clientCookies } from '../upstream/client-cookies.ts';
import { pooledRandom } from '../upstream/random.ts';
import { queryBytes } from '../upstream/upstream-query.ts';
import { readAnyReply } from './read-reply.ts';
import { readSimpleReply } from './read-simple-reply.ts';

const random = pooledRandom((bytes) => void randomFillSync(bytes));

type Case = {
  readonly type: number;
  readonly addresses: readonly Uint8Array[];
  readonly ttls: readonly number[];
  readonly hasEdns: boolean;
  readonly hasCookie: boolean;
  readonly isTrusted: boolean;
  /** Bytes to change: position and value. */
  readonly changes: readonly (readonly [number, number])[];
  readonly cut: number;
};

const cases: fc.Arbitrary<Case> = fc.constantFrom(types.A, types.AAAA).chain((type) =>
  fc.record({
    type: fc.constant(type),
    addresses: fc.array(fc.uint8Array({ minLength: type === types.A ? 4 : 16, maxLength: type === types.A ? 4 : 16 }), {
      minLength: 1,
      maxLength: 4,
    }),
    ttls: fc.array(fc.constantFrom(0, 1, 300, 300, 300, 90_000), { minLength: 1, maxLength: 2 }),
    hasEdns: fc.boolean(),
    hasCookie: fc.boolean(),
    isTrusted: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 2 }),
    cut: fc.constantFrom(0, 0, 0, 1, 7),
  }),
);

function replyOf(one: Case) {
  const name = wireName('wWw.ExamplE.coM')!;
  const question = { name, type: one.type, class: 1, dnssecOk: false, checkingDisabled: false };
  const cookies = one.hasCookie ? clientCookies(random) : undefined;
  const query = readQuery(queryBytes(question, { id: 77, edns: true, ...(cookies && { cookie: cookies.option() }) }));
  const data = cookies && Uint8Array.from([...cookies.option(), ...new Uint8Array(8)]);
  const bytes = answerTo(query, {
    answer: one.addresses.map((address, i) => ({
      name,
      type: one.type,
      class: 1,
      ttl: one.ttls[i % one.ttls.length]!,
      data: address,
    })),
    ...(one.hasEdns && {
      edns: { udpSize: 1232, version: 0, dnssecOk: false, options: data ? [{ code: optionCodes.cookie, data }] : [] },
    }),
  });
  const changed = Uint8Array.from(bytes.subarray(0, bytes.length - one.cut));
  for (const [at, value] of one.changes) if (at < changed.length) changed[at] = value;
  return { packet: changed, question, style: { random, isPadded: false, cookies, authenticData: one.isTrusted } };
}

test('the fast path returns the same answer as the general parser for any mutated reply', () => {
  let runs = 0;
  let simple = 0;
  fc.assert(
    fc.property(cases, (one) => {
      runs += 1;
      const { packet, question, style } = replyOf(one);
      const found = readSimpleReply(packet.slice(), question, style);
      if (!found) return;
      simple += 1;
      const general = readAnyReply(packet.slice(), question, style);
      assert.equal(general.kind, 'answer');
      if (general.kind === 'answer') assert.deepEqual(found, general.answer);
    }),
    { numRuns: 3000 },
  );
  assert.ok(simple > runs / 30, `${simple} of ${runs} were simple`);
});
