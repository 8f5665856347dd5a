import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseEnd } from './pause.ts';

const NOW = Date.parse('2026-03-28T22:30:00Z');
const endOf = (...given: Parameters<typeof pauseEnd>): string => {
  const end = pauseEnd(...given);
  assert.ok(end.ok);
  return new Date(end.value).toISOString();
};

test('a pause ends after its minutes', () => {
  assert.equal(endOf({ minutes: 5 }, NOW, 'UTC'), '2026-03-28T22:35:00.000Z');
});

test('tomorrow starts at midnight in the time zone of the account', () => {
  assert.equal(endOf({ until: 'tomorrow' }, NOW, 'UTC'), '2026-03-29T00:00:00.000Z');
  assert.equal(endOf({ until: 'tomorrow' }, NOW, 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
  assert.equal(endOf({ until: 'tomorrow' }, NOW, 'Asia/Tokyo'), '2026-03-29T15:00:00.000Z');
  assert.equal(endOf({ until: 'tomorrow' }, NOW, 'Mars/Crater'), '2026-03-29T00:00:00.000Z', 'an unknown zone is UTC');
});

test('tomorrow is right on the days on which the clock changes, also at midnight', () => {
  const berlin = Date.parse('2026-03-29T12:00:00Z');
  assert.equal(endOf({ until: 'tomorrow' }, berlin, 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
  // In Cairo 2026-04-24 starts at 01:00.
  const cairo = Date.parse('2026-04-23T12:00:00Z');
  assert.equal(endOf({ until: 'tomorrow' }, cairo, 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
});

test('a pause has either minutes or an end, and at most a week', () => {
  for (const given of [{}, { minutes: 5, until: 'tomorrow' }, { minutes: 0 }, { minutes: 1.5 }, { minutes: 10_081 }]) {
    const end = pauseEnd(given as never, NOW, 'UTC');
    assert.ok(!end.ok && end.error.kind === 'invalid' && end.error.errors[0]!.field === 'minutes');
  }
});
