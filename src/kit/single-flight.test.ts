import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortableSingleFlight, oncePerKey, singleFlight, startOnce, workLoop } from './single-flight.ts';

function setting() {
  const started: { signal: AbortSignal; finish: (value: string) => void; fail: (error: Error) => void }[] = [];
  const share = abortableSingleFlight<Promise<string>>((work) => work);
  const start = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    started.push({ signal, finish: resolve, fail: reject });
    return promise;
  };
  return { started, join: (key: string) => share(key, start) };
}

test('concurrent calls with the same key share one job', async () => {
  const { started, join } = setting();
  const [first, second, other] = [join('a'), join('a'), join('b')];
  assert.deepEqual([first.shared, second.shared, other.shared], [false, true, false]);
  assert.equal(started.length, 2);
  started[0]!.finish('done');
  assert.deepEqual([await first.work, await second.work], ['done', 'done']);
});

test('a finished call is started again', async () => {
  const { started, join } = setting();
  const first = join('a');
  started[0]!.finish('done');
  await first.work;
  await Promise.resolve();
  assert.equal(join('a').shared, false);
});

test('a failed call is started again, and its callers share the failure', async () => {
  const { started, join } = setting();
  const shares = [join('a'), join('a')];
  started[0]!.fail(new Error('no'));
  for (const { work } of shares) await assert.rejects(work, /no/);
  assert.equal(join('a').shared, false);
});

test('the job runs while any caller waits, and is aborted with the last one', () => {
  const { started, join } = setting();
  const [first, second] = [join('a'), join('a')];
  first.leave();
  first.leave();
  assert.equal(started[0]!.signal.aborted, false);
  second.leave();
  assert.equal(started[0]!.signal.aborted, true);
});

test('a stopped call is not joined', () => {
  const { started, join } = setting();
  join('a').leave();
  assert.equal(join('a').shared, false);
  assert.equal(started[1]!.signal.aborted, false);
});

test('calls of one flight share its result, and the next call after it starts again', async () => {
  const flight = singleFlight<number>();
  let started = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = async (): Promise<number> => {
    started++;
    await promise;
    return started;
  };
  const calls = [flight.run(start), flight.run(start), flight.run(start, 'other')];
  assert.equal(flight.running(), calls[0]);
  resolve();
  assert.deepEqual(await Promise.all(calls), [2, 2, 2]);
  assert.equal(flight.running(), undefined);
  assert.equal(await flight.run(start), 3);
});

test('a flight that fails is started again by the next call', async () => {
  const flight = singleFlight<string>();
  await assert.rejects(
    flight.run(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await flight.run(async () => 'yes'), 'yes');
});

test('a job of a key is started once, and its failure is its result for all calls', async () => {
  const once = oncePerKey<number>();
  let started = 0;
  const start = async (): Promise<number> => ++started;
  assert.deepEqual([await once('a', start), await once('a', start), await once('b', start)], [1, 1, 2]);
  const fail = (): Promise<number> => Promise.reject(new Error('no'));
  await assert.rejects(once('c', fail), /no/);
  await assert.rejects(once('c', start), /no/);
});

test('a job is started once, and again after a failure or a result that is not final', async () => {
  const results = [Promise.reject(new Error('no')), Promise.resolve(0), Promise.resolve(1), Promise.resolve(2)];
  const job = startOnce(
    () => results.shift()!,
    (result) => result > 0,
  );
  assert.equal(job.started(), undefined);
  await assert.rejects(Promise.all([job.run(), job.run()]), /no/);
  assert.deepEqual(await Promise.all([job.run(), job.run()]), [0, 0]);
  assert.deepEqual([await job.run(), await job.run(), await job.started()], [1, 1, 1]);
});

test('a loop runs once at a time, and work that is added in any turn around its end is done', async () => {
  for (let turns = 0; turns < 10; turns++) {
    let [left, parallel] = [2, 0];
    const loop = workLoop(
      () => left > 0,
      async () => {
        assert.equal(++parallel, 1);
        left--;
        await Promise.resolve();
        parallel--;
      },
    );
    assert.equal(loop.start(), loop.start());
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    left++;
    await loop.start();
    await loop.ended();
    assert.equal(left, 0, `${turns} turns`);
  }
});

test('a loop whose step fails rejects, and can be started again', async () => {
  let isBroken = true;
  const loop = workLoop(
    () => true,
    async () => {
      if (isBroken) throw new Error('no');
      throw new Error('yes');
    },
  );
  await assert.rejects(loop.start(), /no/);
  isBroken = false;
  await assert.rejects(loop.start(), /yes/);
});
