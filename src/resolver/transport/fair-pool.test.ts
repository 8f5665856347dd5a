import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairPool, type FairPoolOptions } from './fair-pool.ts';

type Member = { readonly since: number; readonly isBusy?: boolean };

const LATE = 1_000_000;

/** A pool with these networks; each member joins one millisecond after the one before. */
function poolOf(networks: string, options: FairPoolOptions<Member>) {
  const pool = createFairPool<Member>(options);
  const members = Array.from(networks, (network, since): Member => {
    const member = { since, isBusy: network !== network.toLowerCase() };
    pool.add(member, network.toLowerCase());
    return member;
  });
  const victim = (newcomer: string, now = LATE): number => members.indexOf(pool.victimFor(newcomer, now)!);
  return { pool, members, victim };
}

test('the oldest of the network with most members makes room, the newcomer counted', () => {
  const { victim } = poolOf('abbbcc', { size: 6 });
  assert.equal(victim('d'), 1);
  assert.equal(victim('a'), 1);
  assert.equal(victim('b'), 1);
  assert.equal(victim('c'), 1);
});

test('among networks with as many members the oldest of all makes room', () => {
  assert.equal(poolOf('abcd', { size: 4 }).victim('e'), 0);
  assert.equal(poolOf('abcd', { size: 4 }).victim('c'), 2);
});

test('a network has at most its share, and displaces its own then', () => {
  const { pool, victim } = poolOf('abbb', { size: 10, perNetwork: 3 });
  assert.deepEqual([pool.hasRoomFor('a'), pool.hasRoomFor('b')], [true, false]);
  assert.equal(victim('b'), 1);
});

test('young members make room only for networks that have fewer', () => {
  const { victim } = poolOf('aabbbbb', { size: 7, perNetwork: 5, minAgeMs: 1000 });
  assert.equal(victim('b', 500), -1);
  assert.equal(victim('b', 1002), 2);
  assert.equal(victim('a', 500), 2);
  assert.equal(victim('c', 500), 2);
  assert.equal(poolOf('abcd', { size: 4, minAgeMs: 1000 }).victim('e', 5), 0);
  assert.equal(poolOf('abcd', { size: 4, minAgeMs: 1000 }).victim('a', 5), -1);
});

test('busy members make room only for networks that have fewer', () => {
  const isBusy = (member: Member): boolean => member.isBusy === true;
  assert.equal(poolOf('AAAA', { size: 4, isBusy }).victim('a'), -1);
  assert.equal(poolOf('AAAA', { size: 4, isBusy }).victim('b'), 0);
  assert.equal(poolOf('AAAa', { size: 4, isBusy }).victim('a'), 3);
  assert.equal(poolOf('AAAb', { size: 4, isBusy }).victim('a'), 3);
  assert.equal(poolOf('ABCD', { size: 4, isBusy }).victim('e'), -1);
  assert.equal(poolOf('AAAA', { size: 4, isBusy }).pool.victim(), undefined);
});

test('members that leave are forgotten', () => {
  const { pool, members, victim } = poolOf('aab', { size: 3 });
  for (const member of members.slice(0, 2)) pool.delete(member);
  assert.deepEqual([pool.size(), pool.has(members[0]!), pool.has(members[2]!)], [1, false, true]);
  assert.equal(victim('c'), 2);
});
