import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import type { AccountId } from '../domain/ids.ts';
import { commitNotices, type ListenerState } from './change-notifier.ts';
import type { ChangedAccounts } from './database.ts';

const anna = new Set(['anna' as AccountId]);

test('each listener is told, and telling is over when all are done', async () => {
  const { listen, tell } = commitNotices();
  const heard: string[] = [];
  listen(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    heard.push('slow');
  });
  listen(() => void heard.push('fast'));
  await tell(anna);
  assert.deepEqual(heard, ['fast', 'slow']);
});

test('a listener that fails harms nobody and is told of everything until it succeeds', async () => {
  const { listen, tell } = commitNotices({ againMs: 5 });
  const heard: ChangedAccounts[] = [];
  let fine = 0;
  const succeeded = new Promise<void>((resolve) => {
    listen((changed) => {
      heard.push(changed);
      if (heard.length < 3) throw new Error('not now');
      resolve();
    });
  });
  listen(() => void fine++);
  await tell(anna);
  // Holds the process: the timers of the notices do not.
  const hold = setInterval(() => {}, 1000);
  await succeeded;
  clearInterval(hold);
  assert.deepEqual(heard, [anna, 'all', 'all']);
  assert.equal(fine, 1);
});

test('who has left hears nothing more, also of what failed before', async () => {
  const { listen, tell } = commitNotices({ againMs: 5 });
  let told = 0;
  const leave = listen(() => {
    told++;
    throw new Error('not now');
  });
  await tell(anna);
  leave();
  await tell(anna);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(told, 1);
});

test('a listener that does not end delays the transaction no longer than the limit', async () => {
  const states: ListenerState[] = [];
  const { listen, tell, areBehind } = commitNotices({ lateMs: 20, onState: (state) => states.push(state) });
  const end = Promise.withResolvers<void>();
  listen(() => end.promise, 'the resolver');
  await Promise.all([tell(anna), tell(anna)]);
  assert.ok(areBehind());
  assert.deepEqual(
    states,
    [{ listener: 'the resolver', state: 'behind', afterMs: 20 }],
    'told once, not once per change',
  );
  end.resolve();
  await until('the listener has applied the changes', () => !areBehind());
  assert.deepEqual(states.slice(1), [{ listener: 'the resolver', state: 'current' }]);
});

test('a listener that fails is behind until a later call succeeds', async () => {
  const states: ListenerState[] = [];
  const { listen, tell, areBehind } = commitNotices({ againMs: 5, onState: (state) => states.push(state) });
  const error = new Error('not now');
  let isBroken = true;
  let calls = 0;
  listen(() => {
    calls += 1;
    if (isBroken) throw error;
  }, 'the resolver');
  await tell(anna);
  assert.ok(areBehind(), 'the change is committed, but not applied');
  await until('it was called again', () => calls > 2);
  assert.deepEqual(states, [{ listener: 'the resolver', state: 'behind', error }]);
  isBroken = false;
  await until('it succeeds', () => !areBehind());
  assert.deepEqual(states.slice(1), [{ listener: 'the resolver', state: 'current' }]);
});
