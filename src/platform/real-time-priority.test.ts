import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { firstState, nextPriority, type PriorityState, useRealTimePriority } from './real-time-priority.ts';

const CHECK_MS = 100;
const isAllowed = spawnSync('chrt', ['--fifo', '1', 'true']).status === 0;

/** Field 41 of proc_pid_stat(5): 0 is SCHED_OTHER, 1 is SCHED_FIFO. */
function policyOfThisThread(): string | undefined {
  const stat = readFileSync('/proc/thread-self/stat', 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38];
}

if (!isMainThread) {
  let backlog = 0;
  const priority = useRealTimePriority(() => backlog);
  const policies = [policyOfThisThread()];
  for (backlog of [1, 0]) {
    priority.check(performance.now());
    policies.push(policyOfThisThread());
  }
  parentPort!.postMessage(policies);
} else {
  const shares = (state: PriorityState, now: number, share: number, checks: number): PriorityState => {
    let next = state;
    for (let check = 1; check <= checks; check++)
      next = nextPriority(next, { cpuShare: share, backlog: 0 }, now + check * CHECK_MS);
    return next;
  };

  test('real-time priority ends after three busy checks in a row', () => {
    const start = firstState(0);
    assert.equal(shares(start, 0, 0.91, 100).isRealTime, true);
    const two = shares(start, 0, 1, 2);
    assert.equal(shares(two, 200, 0.5, 1).busyChecks, 0);
    assert.equal(two.isRealTime, true);
    assert.equal(shares(two, 200, 1, 1).isRealTime, false);
  });

  test('real-time priority ends at once when another thread falls behind, and returns when it has caught up', () => {
    const start = firstState(0);
    assert.equal(nextPriority(start, { cpuShare: undefined, backlog: 0.6 }, 1), start);
    const behind = nextPriority(start, { cpuShare: undefined, backlog: 0.61 }, 1);
    assert.equal(behind.isRealTime, false);
    assert.equal(nextPriority(behind, { cpuShare: undefined, backlog: 0.46 }, 10_000), behind);
    assert.equal(nextPriority(behind, { cpuShare: undefined, backlog: 0.45 }, 2).isRealTime, true);
  });

  test('pauses become longer under constant load, and short again after a quiet time', () => {
    let state = firstState(0);
    const pauses: number[] = [];
    let pausedAt = 0;
    for (let now = CHECK_MS; now < 60_000; now += CHECK_MS) {
      const next = nextPriority(state, { cpuShare: 1, backlog: 0 }, now);
      if (state.isRealTime && !next.isRealTime) pausedAt = now;
      if (!state.isRealTime && next.isRealTime) pauses.push(now - pausedAt);
      state = next;
    }
    assert.deepEqual(pauses.slice(0, 4), [1000, 2000, 4000, 4000]);
    const quiet = shares({ ...state, isRealTime: true, since: 60_000 }, 60_000, 0.1, 100);
    const busy = shares(quiet, 70_000, 1, 5);
    assert.deepEqual([busy.isRealTime, busy.pauseMs], [false, 1000]);
  });

  test('the system schedules the thread accordingly', { skip: !isAllowed && 'needs real-time priority' }, async () => {
    const [policies] = (await once(new Worker(new URL(import.meta.url)), 'message')) as [string[]];
    assert.deepEqual(policies, ['1', '0', '1']);
  });
}
