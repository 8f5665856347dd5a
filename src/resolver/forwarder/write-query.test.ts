import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { restoreCase } from '../../dns/case-randomization.ts';
import { clientCookies } from '../upstream/client-cookies.ts';
import { pooledRandom } from '../upstream/random.ts';
import { foldedName, queryBytes } from '../upstream/upstream-query.ts';
import { writeQuery } from './write-query.ts';

const random = pooledRandom((bytes) => void randomFillSync(bytes));
const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 });
const nameOf = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from([...parts.flatMap((label) => [label.length, ...label]), 0]);

test('the query is the one that queryBytes writes', () => {
  fc.assert(
    fc.property(
      labels,
      fc.record({
        id: fc.nat(0xffff),
        type: fc.nat(0xffff),
        dnssecOk: fc.boolean(),
        checkingDisabled: fc.boolean(),
        authenticData: fc.boolean(),
        isMixed: fc.boolean(),
        option: fc.constantFrom('none', 'padding', 'cookie'),
      }),
      (parts, { id, type, dnssecOk, checkingDisabled, authenticData, isMixed, option }) => {
        const name = nameOf(parts);
        const question = { type, class: 1, dnssecOk, checkingDisabled };
        const cookies = option === 'cookie' ? clientCookies(random) : undefined;
        const isPadded = option === 'padding';
        const into = new Uint8Array(512);
        const at = { bytes: name, at: 0, end: name.length };
        const length = writeQuery(into, id, at, question, {
          random: isMixed ? random : undefined,
          isPadded,
          cookies,
          authenticData,
        });
        const written = into.slice(0, length);
        assert.deepEqual(foldedName(written.slice(12, 12 + name.length)), foldedName(name));
        restoreCase(written, foldedName(name));
        const how = { id, edns: true, padded: isPadded, authenticData, ...(cookies && { cookie: cookies.option() }) };
        assert.deepEqual(written, queryBytes({ ...question, name: foldedName(name) }, how));
      },
    ),
  );
});
