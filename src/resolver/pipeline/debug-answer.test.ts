import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, profileWith } from '../../../test/support/resolver/directory.ts';
import { addressBytes } from '../identity/address-key.ts';
import { createDirectory } from '../identity/directory.ts';
import { debugAnswer } from './debug-answer.ts';

const directory = createDirectory();
const profile = profileWith('aaaaaaaa');
directory.replace(accountWith('anna', { profiles: [profile], devices: [deviceWith('0000aaa1', profile.id)] }));
const identity = directory.byId('0000aaa1')!;
const client = addressBytes('2001:db8::7')!;

test('a device of the account sees how its query was decided', () => {
  const facts = {
    identity,
    identifiedBy: 'mac 02:00:00:00:00:01',
    client,
    country: 'DE',
    asn: 64500,
    verdict: 'block',
    rule: '||ads.example^',
    list: 'custom',
  };
  assert.deepEqual(debugAnswer(facts), {
    kind: 'lines',
    lines: [
      'client-ip: 2001:db8::7',
      'device-id: 0000aaa1',
      'identified-by: mac 02:00:00:00:00:01',
      'profile-id: aaaaaaaa',
      'country: DE',
      'asn: 64500',
      'verdict: block',
      'rule: ||ads.example^',
      'list: custom',
    ],
  });
});

test('unknown values are left out', () => {
  const answer = debugAnswer({ identity, client: addressBytes('192.0.2.1')!, verdict: 'pass' });
  assert.ok(answer.kind === 'lines');
  assert.deepEqual(answer.lines, [
    'client-ip: 192.0.2.1',
    'device-id: 0000aaa1',
    'profile-id: aaaaaaaa',
    'verdict: pass',
  ]);
});

test('unknown and anonymous clients get no details', () => {
  assert.deepEqual(debugAnswer({ identity: { kind: 'unknown' }, client, verdict: 'pass' }), { kind: 'refused' });
  const guest = directory.profile('aaaaaaaa')!;
  assert.deepEqual(debugAnswer({ identity: guest, client, verdict: 'pass' }), { kind: 'refused' });
});

test('a line is never longer than one string of a record, and ends in a whole character', () => {
  const answer = debugAnswer({ identity, client, verdict: 'block', rule: `/x${'\u00e9'.repeat(400)}/` });
  assert.ok(answer.kind === 'lines');
  const rule = answer.lines.find((line) => line.startsWith('rule'))!;
  assert.equal(Buffer.byteLength(rule), 254);
  assert.ok(rule.endsWith('\u00e9'));
});
