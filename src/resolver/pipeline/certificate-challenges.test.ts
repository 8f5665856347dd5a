import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnswering } from '../../../test/support/resolver/pipeline.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { recordText } from '../../dns/record-text.ts';
import { typeName } from '../../kit/dns-numbers.ts';

const given = {
  client: { kind: 'unknown' },
  challengeZones: ['_acme-challenge.d.example', 'acme.example'],
  challengeRecords: [
    { name: '_acme-challenge.d.example', text: 'one' },
    { name: '_acme-challenge.d.example', text: 'two' },
    { name: 'other.example.acme.example', text: 'three' },
  ],
} as const;

type Row = readonly [name: string, type: number, code: number, ...records: string[]];

const rows: readonly Row[] = [
  ['_acme-challenge.d.example', types.TXT, rcodes.NOERROR, 'TXT "one"', 'TXT "two"'],
  ['_ACME-Challenge.D.Example', types.TXT, rcodes.NOERROR, 'TXT "one"', 'TXT "two"'],
  ['other.example.acme.example', types.TXT, rcodes.NOERROR, 'TXT "three"'],
  ['_acme-challenge.d.example', types.NS, rcodes.NOERROR, 'NS ns.example.'],
  ['_acme-challenge.d.example', types.A, rcodes.NOERROR],
  // A name between the zone and a record exists (RFC 8020).
  ['example.acme.example', types.A, rcodes.NOERROR],
  ['x._acme-challenge.d.example', types.TXT, rcodes.NOERROR],
  ['d.example', types.TXT, rcodes.REFUSED],
  ['x_acme-challenge.d.example', types.TXT, rcodes.REFUSED],
  ['_acme-challenge.other.example', types.TXT, rcodes.REFUSED],
];

for (const [name, type, code, ...records] of rows)
  test(`${name} ${typeName(type)}: ${records.join() || `rcode ${code}`}, to an unknown client`, async () => {
    const { ask } = startAnswering(given);
    const { message } = await ask(name, { type });
    assert.ok(message);
    assert.deepEqual(
      [message.rcode, ...message.answer.map((each) => `${typeName(each.type)} ${recordText(each.type, each.data)}`)],
      [code, ...records],
    );
    assert.equal(message.authoritative, code === rcodes.NOERROR);
    const isNegative = code === rcodes.NOERROR && records.length === 0;
    assert.deepEqual(
      message.authority.map((each) => each.type),
      isNegative ? [types.SOA] : [],
    );
  });
