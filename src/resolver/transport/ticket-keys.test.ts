import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentSecret, newTicketSecret, TICKET_PERIOD_MS, ticketKeys } from './ticket-keys.ts';

test('nodes that received the secret at different times have the same keys, and new ones in every period', () => {
  let time = 1_800_000_000_000;
  const secret = newTicketSecret(time);
  const keys = ticketKeys(secret, () => time);
  const first = keys();
  assert.equal(first.length, 48);
  time += TICKET_PERIOD_MS;
  const second = keys();
  assert.notDeepEqual(first, second);
  time += 3 * TICKET_PERIOD_MS;
  const later = currentSecret(secret, time);
  assert.deepEqual(ticketKeys(later, () => time)(), keys());
  assert.notDeepEqual(later.value, secret.value);
  // A clock that is behind does not go back: the earlier secret is not known any more.
  assert.deepEqual(currentSecret(later, time - TICKET_PERIOD_MS), later);
  assert.notDeepEqual(ticketKeys(newTicketSecret(time), () => time)(), keys());
});
