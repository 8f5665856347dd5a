import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastUsed } from './last-used.ts';

const unexpected = (error: unknown): never => assert.fail(String(error));

test('uses are written together at the interval, each id once with its latest use', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const written: [string, number][][] = [];
  const uses = lastUsed<string>(1000, async (used) => void written.push([...used]), unexpected);
  uses.add('a', 1);
  uses.add('b', 2);
  uses.add('a', 3);
  assert.equal(uses.latest('a'), 3);
  t.mock.timers.tick(999);
  assert.deepEqual(written, []);
  t.mock.timers.tick(1);
  assert.deepEqual(written, [
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
  // A reader may have read the row before it was written.
  assert.equal(uses.latest('a'), 3);
  await uses.stop();
  assert.equal(uses.latest('a'), undefined);
  assert.equal(written.length, 1);
});

test('uses that could not be written are reported and written later, unless there are newer ones', async () => {
  let isFailing = true;
  const [written, errors]: [[string, number][][], unknown[]] = [[], []];
  const uses = lastUsed<string>(
    1e6,
    async (used) => {
      if (isFailing) throw new Error('busy');
      written.push([...used]);
    },
    (error) => errors.push(error),
  );
  uses.add('a', 1);
  uses.add('b', 1);
  const flushing = uses.flush();
  uses.add('a', 2);
  await flushing;
  assert.equal(errors.length, 1);
  isFailing = false;
  await uses.stop();
  assert.deepEqual(written, [
    [
      ['a', 2],
      ['b', 1],
    ],
  ]);
});
