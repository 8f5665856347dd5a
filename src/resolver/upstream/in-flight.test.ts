import assert from 'node:assert/strict';
import { test } from 'node:test';
import { name } from '../../../test/support/resolver/upstream/messages.ts';
import { inFlight, inFlightLimits } from './in-flight.ts';

const A = 1;

test('places are taken and left', () => {
  const { enter, count, refused } = inFlight();
  const leave = enter(name('example.com'), A)!;
  assert.equal(count(), 1);
  leave();
  leave();
  assert.equal(count(), 0);
  assert.equal(refused(), 0);
});

test('a flood under one domain leaves room for others, and uses all room while there are no others', () => {
  const { enter, count, refused } = inFlight();
  for (let i = 0; i < 20_000; i++) enter(name(`x${i}.flood.example`), A);
  assert.equal(count(), inFlightLimits.contendedFrom);
  assert.equal(refused(), 20_000 - inFlightLimits.contendedFrom);
  for (let i = 0; i < 5000; i++) assert.ok(enter(name(`www.site${i}.example`), A));
});

test('more than a domain’s share can be under way as long as there is room', () => {
  const { enter } = inFlight({ total: 1000, perDomain: 3, contendedFrom: 10, perName: 10 });
  for (let i = 0; i < 10; i++) assert.ok(enter(name(`x${i}.a.example`), A));
  assert.equal(enter(name('y.a.example'), A), undefined);
  for (let i = 0; i < 3; i++) assert.ok(enter(name(`x${i}.b.example`), A));
  assert.equal(enter(name('y.b.example'), A), undefined);
});

test('in all there are ten thousand at most', () => {
  const { enter, count } = inFlight();
  for (let i = 0; i < 10_500; i++) enter(name(`site${i}.example`), A);
  assert.equal(count(), 10_000);
  assert.equal(enter(name('one-more.example'), A), undefined);
});

test('at most ten different queries for a name and type are in flight', () => {
  const { enter } = inFlight();
  for (let i = 0; i < 10; i++) assert.ok(enter(name('example.com'), A));
  assert.equal(enter(name('example.com'), A), undefined);
  assert.ok(enter(name('example.com'), 28));
  assert.ok(enter(name('www.example.com'), A));
});

test('the root and names of one label have a place, too', () => {
  const { enter } = inFlight();
  assert.ok(enter(name('.'), A));
  assert.ok(enter(name('com'), A));
});
