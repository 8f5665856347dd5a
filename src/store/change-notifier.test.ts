import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { changeNotifier, type ListenerState } from './change-notifier.ts';

const anna = new Set(['anna' as AccountId]);

test('notify resolves when every listener has finished', async () => {
  const { listen, notify } = changeNotifier();
  const heard: string[] = [];
  listen(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    heard.push('slow');
  });
  listen(() => void heard.push('fast'));
  await notify(anna);
  assert.deepEqual(heard, ['fast', 'slow']);
});

test('a listener that fails does not affect others and is retried for the accounts it missed until it succeeds', async () => {
  const { listen, notify } = changeNotifier({ retryMs: 5 });
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
  await notify(anna);
  // Keeps the process alive: the timers of the notifier do not.
  const hold = setInterval(() => {}, 1000);
  await succeeded;
  clearInterval(hold);
  assert.deepEqual(heard, [anna, anna, anna]);
  assert.equal(fine, 1);
});

test('a removed listener is not called again, nor retried', async () => {
  const { listen, notify } = changeNotifier({ retryMs: 5 });
  let calls = 0;
  const leave = listen(() => {
    calls++;
    throw new Error('not now');
  });
  await notify(anna);
  leave();
  await notify(anna);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(calls, 1);
});

test('a listener that does not end delays the transaction no longer than the limit', async () => {
  const states: ListenerState[] = [];
  const { listen, notify, areBehind } = changeNotifier({ timeoutMs: 20, onState: (state) => states.push(state) });
  const end = Promise.withResolvers<void>();
  listen(() => end.promise, 'the resolver');
  await Promise.all([notify(anna), notify(anna)]);
  assert.ok(areBehind());
  assert.deepEqual(
    states,
    [{ listener: 'the resolver', state: 'behind', afterMs: 20 }],
    'reported once, not once per change',
  );
  end.resolve();
  await until('the listener has applied the changes', () => !areBehind());
  assert.deepEqual(states.slice(1), [{ listener: 'the resolver', state: 'current' }]);
});

test('a listener that fails is behind until a later call succeeds', async () => {
  const states: ListenerState[] = [];
  const { listen, notify, areBehind } = changeNotifier({ retryMs: 5, onState: (state) => states.push(state) });
  const error = new Error('not now');
  let isBroken = true;
  let calls = 0;
  listen(() => {
    calls += 1;
    if (isBroken) throw error;
  }, 'the resolver');
  await notify(anna);
  assert.ok(areBehind(), 'the change is committed, but not applied');
  await until('it was called again', () => calls > 2);
  assert.deepEqual(states, [{ listener: 'the resolver', state: 'behind', error }]);
  isBroken = false;
  await until('it succeeds', () => !areBehind());
  assert.deepEqual(states.slice(1), [{ listener: 'the resolver', state: 'current' }]);
});

test('with waitForRetry a failed listener has until the timeout to succeed', async () => {
  const { listen, notify, failures } = changeNotifier({ retryMs: 5, timeoutMs: 100 });
  let calls = 0;
  let isBroken = false;
  listen(() => {
    calls += 1;
    if (isBroken || calls === 1) throw new Error('not now');
  });
  // Keeps the process alive: the retry timer does not.
  const hold = setInterval(() => {}, 1000);
  assert.equal(await notify(anna, true), true, 'applied by the retry');
  assert.deepEqual([calls, failures()], [2, 1]);
  isBroken = true;
  assert.equal(await notify(anna, true), false, 'not applied within the timeout');
  assert.equal(await notify(anna), false, 'without waitForRetry the first failure is the result');
  clearInterval(hold);
});
