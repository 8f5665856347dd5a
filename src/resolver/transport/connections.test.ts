import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { type Connection, createConnectionTracker, defaultConnectionLimits } from './connections.ts';

const origin = (last: number) => ({ client: Uint8Array.of(192, 0, 2, last), clientPort: 1, local: new Uint8Array(4) });

test('new limits close connections beyond them, except busy ones, and apply to the next ones', () => {
  const tracker = createConnectionTracker({ ...defaultConnectionLimits, connections: 4, resumeAt: 3, perClient: 4 });
  const enter = (last: number, state: Connection['state']): Connection | undefined => {
    const connection = tracker.enter(new Socket(), origin(last), 0, 'first');
    if (connection && tracker.admit(connection)) connection.state = state;
    return connection;
  };
  const busy = [enter(1, 'busy'), enter(1, 'busy')];
  const idle = [enter(1, 'idle'), enter(2, 'idle')];
  tracker.useLimits({ connections: 1, resumeAt: 0 });
  const isOpen = (connection: Connection | undefined): boolean => connection?.socket.destroyed === false;
  assert.deepEqual([...busy, ...idle].map(isOpen), [true, true, false, false]);
  assert.equal(tracker.counts.open, 2);
  assert.equal(isOpen(enter(1, 'idle')), false);

  tracker.useLimits({ connections: 10, resumeAt: 8, perClient: 3 });
  assert.deepEqual([enter(1, 'busy'), enter(1, 'busy'), enter(2, 'idle')].map(isOpen), [true, false, true]);
});
