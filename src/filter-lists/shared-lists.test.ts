import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEADER_WITHIN_MS, nextStep, type Step } from './shared-lists.ts';

const situation = {
  shared: { source: 'https://lists.example/a', version: 'new', checks: 7 },
  seenBefore: undefined,
  inUse: 'old',
  isLeader: false,
  overdueMs: -1,
  mustDownload: false,
};
const confirmed = { shared: { ...situation.shared, version: 'old' } };
const unchanged = { ...confirmed, seenBefore: confirmed.shared };
const notPublished = { seenBefore: situation.shared, inUse: 'newest' };

const cases: readonly (readonly [name: string, Partial<typeof situation> | object, Step])[] = [
  ['another version is used', {}, 'use'],
  ['a first version is used, also by the leader', { inUse: undefined, isLeader: true }, 'use'],
  ['the leader downloads what is due', { ...unchanged, isLeader: true, overdueMs: 0 }, 'download'],
  ['the leader waits until then', { ...unchanged, isLeader: true }, 'wait'],
  [
    'a check of the leader confirms the version',
    { ...confirmed, seenBefore: { ...confirmed.shared, checks: 6 } },
    'confirmed',
  ],
  ['a check is counted once', unchanged, 'wait'],
  ['a node waits for the leader', { ...unchanged, overdueMs: LEADER_WITHIN_MS - 1 }, 'wait'],
  ['a node does not wait longer', { ...unchanged, overdueMs: LEADER_WITHIN_MS }, 'download'],
  ['a new list waits for the leader', { shared: undefined, inUse: undefined, overdueMs: 1 }, 'wait'],
  ['a version that was used does not replace one that could not be published', notPublished, 'wait'],
  ['a requested check goes to the sources', { mustDownload: true }, 'download'],
];

for (const [name, differences, step] of cases)
  test(name, () => assert.equal(nextStep({ ...situation, ...differences }), step));
