import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQuestion } from '../../dns/question.ts';
import { EVERYBODY, type KnownLesson, type Lesson } from '../../dns-server/thread-messages.ts';
import type { Standing } from './client.ts';
import { knownClients } from './known-clients.ts';

const client = Uint8Array.of(192, 0, 2, 1);
const local = Uint8Array.of(192, 0, 2, 53);
const asked = { bytes: new Uint8Array(), at: 0, length: 0, transport: 'udp', client, clientPort: 1, local } as const;
const SLOT = 7;

function lesson(epoch: number, logEnabled: boolean): Lesson {
  const known = { kind: 'guest', profile: { id: 'home' }, account: { id: 'account', logEnabled } };
  const stands = { kind: 'known', who: 1, owner: 1, profileVersion: 3, known } as unknown as KnownLesson;
  const device = new Uint8Array();
  return { kind: 'lesson', client, local, device, stands, slot: SLOT, epoch, everybodysEpoch: 0 };
}

test('a client is known until its account changes, and then by what the account is now', () => {
  const epochs = new Int32Array(16);
  const clients = knownClients(epochs, ({ known }) => ({ kind: 'known', known }) as unknown as Standing);
  const standing = () => clients.standingOf(asked, newQuestion());
  assert.equal(standing().kind, 'later');
  clients.learn(lesson(0, true));
  const before = standing() as Standing;
  assert.equal(before.known.account.logEnabled, true);
  Atomics.add(epochs, SLOT, 1);
  assert.equal(standing().kind, 'later');
  clients.learn(lesson(1, false));
  const after = standing() as Standing;
  assert.equal(after.known.account.logEnabled, false);
  assert.equal(after.known.profile, before.known.profile, 'what is made of a profile is made once');
  Atomics.add(epochs, EVERYBODY, 1);
  assert.equal(standing().kind, 'later');
});
