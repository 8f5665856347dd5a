import type { Checked } from './list-jobs.ts';
import type { ListState, Problem } from './list-state.ts';

/** The next state of a list after a check. Pure. */
export function afterCheck(state: ListState, checked: Checked, now: number): ListState {
  switch (checked.kind) {
    case 'unchanged':
      return { ...withoutProblem(state), seen: checked.seen ?? state.seen, checkedAt: now, triedAt: now };
    case 'new':
      return {
        ...withoutProblem(state),
        inUse: checked.version,
        seen: checked.seen,
        checkedAt: now,
        triedAt: now,
      };
    case 'not used':
      return {
        ...state,
        triedAt: now,
        shrunk: checked.shrunk,
        problem: problemAfter(state.problem, 'not used', checked.why, now),
      };
    case 'failed':
      // A failed read gives no information about the size of the list, so the counters do not change.
      return { ...state, triedAt: now, problem: failedProblem(state.problem, checked, now) };
  }
}

const withoutProblem = ({ problem: _problem, shrunk: _shrunk, ...rest }: ListState): ListState => rest;

const failedProblem = (
  before: Problem | undefined,
  { why, isSlow }: Extract<Checked, { kind: 'failed' }>,
  now: number,
): Problem => ({ ...problemAfter(before, 'failed', why, now), ...(isSlow && { isSlow }) });

function problemAfter(before: Problem | undefined, kind: Problem['kind'], why: string, now: number): Problem {
  const isSame = before?.kind === kind;
  return { kind, why, since: isSame ? before.since : now, times: isSame ? before.times + 1 : 1 };
}
