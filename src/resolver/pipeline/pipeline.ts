import { accept } from '../../dns/accept.ts';
import { rcodes } from '../../dns/numbers.ts';
import {
  type AnswerAsync,
  type AnswerSync,
  type DnsRequest,
  NEEDS_LOOKUP,
  type Report,
} from '../transport/listener.ts';
import type { Lookups } from './lookups.ts';
import { type ArrivedAnswer, beginQuery, newQueryContext, type QueryContext, setCode } from './query-context.ts';
import { createSteps, DONE, NEXT, type Step, type StepDeps } from './steps.ts';

const FINISHED = -1;
const MAX_MESSAGE = 65_535;

type Run = Step['run'];

/** Runs steps from index `from` on. Returns the index of the step that needs a lookup, or `FINISHED`. */
function runSteps(steps: readonly Run[], context: QueryContext, from: number): number {
  // `respond` and `record` come last and run for every query that no step before them forwards.
  const respondAt = steps.length - 2;
  for (let i = from; i < steps.length; i++) {
    const outcome = steps[i]!(context);
    if (outcome === NEXT) continue;
    if (outcome === NEEDS_LOOKUP) return i;
    i = respondAt - 1;
  }
  return FINISHED;
}

export type FastPath = {
  /** Answers without waiting, or returns `NEEDS_LOOKUP`. */
  readonly answerSync: AnswerSync;
  /** The query for which `answerSync` has just returned `NEEDS_LOOKUP`, if it is a cache miss and needs nothing else. */
  readonly missed: () => QueryContext | undefined;
  /** `answerSync` for a query whose upstream answer has arrived. */
  readonly answerWith: (arrived: ArrivedAnswer, ...query: Parameters<AnswerSync>) => number;
};

/** For a UDP thread. One context for all queries; `answerSync` allocates nothing. */
export function createFastPath(deps: StepDeps): FastPath {
  const steps = createSteps(deps, undefined).map(({ run }) => run);
  const context = newQueryContext();
  const answerSync: AnswerSync = (request, output, at, room) => {
    beginQuery(context, request);
    context.output = output;
    context.outputAt = at;
    context.outputRoom = room;
    return runSteps(steps, context, 0) === FINISHED ? context.length : NEEDS_LOOKUP;
  };
  return {
    answerSync,
    missed: () => (context.isMiss ? context : undefined),
    answerWith(arrived, ...query) {
      context.arrived = arrived;
      try {
        return answerSync(...query);
      } finally {
        context.arrived = undefined;
      }
    },
  };
}

/** For the resolver thread: `answerAsync` continues from the step at which `answerSync` needed a lookup. */
export function createPipeline(deps: StepDeps, lookups: Lookups, report: Report) {
  const steps = createSteps(deps, lookups);
  const runs = steps.map(({ run }) => run);
  const { recorder, clock } = deps;
  // Responses are written and copied without waiting in between, so one buffer is enough.
  const scratch = new Uint8Array(MAX_MESSAGE);
  let context = newQueryContext();

  const answerSync: AnswerSync = (request, output, at, room) => {
    beginQuery(context, request);
    context.output = output;
    context.outputAt = at;
    context.outputRoom = room;
    const stoppedAt = runSteps(runs, context, 0);
    if (stoppedAt === FINISHED) return context.length;
    suspend(context, stoppedAt);
    // The request now owns the context.
    request.continuation = context;
    context = newQueryContext();
    return NEEDS_LOOKUP;
  };

  /** Steps share one recorder, so the rule is saved during the lookup. */
  const suspend = (waiting: QueryContext, step: number): void => {
    const hasRule = waiting.isRecorded && (waiting.isAllowed || waiting.status === 'MODIFIED');
    waiting.rule = hasRule ? recorder.saveRule() : undefined;
    waiting.step = step;
  };

  const resume = (waiting: QueryContext): void => {
    waiting.nowMs = clock.wallMs();
    waiting.output = scratch;
    waiting.outputAt = 0;
    waiting.outputRoom = scratch.length;
    recorder.clear();
    if (waiting.rule) recorder.restoreRule(waiting.rule);
  };

  const continueAt = async (waiting: QueryContext, stoppedAt: number): Promise<Uint8Array | undefined> => {
    let step = stoppedAt;
    while (step !== FINISHED) {
      // See `Step.lookup`.
      while (steps[step]!.lookup === undefined) step--;
      const outcome = await steps[step]!.lookup!(waiting);
      resume(waiting);
      if (outcome === NEEDS_LOOKUP) throw new Error(`lookup of "${steps[step]!.name}" has no result`);
      step = runSteps(runs, waiting, outcome === DONE ? steps.length - 2 : step + 1);
      if (step !== FINISHED) suspend(waiting, step);
    }
    return waiting.length === 0 ? undefined : scratch.slice(0, waiting.length);
  };

  const complete = async (request: DnsRequest): Promise<Uint8Array | undefined> => {
    const waiting = request.continuation;
    if (waiting) {
      // The transport has copied the query, so the offsets changed.
      waiting.request = request;
      accept(request.bytes, request.at, request.length, waiting.question);
      return continueAt(waiting, waiting.step);
    }
    const begun = newQueryContext();
    beginQuery(begun, request);
    resume(begun);
    const step = runSteps(runs, begun, 0);
    if (step !== FINISHED) suspend(begun, step);
    return continueAt(begun, step);
  };

  const serverFailure = (request: DnsRequest): Uint8Array | undefined => {
    const failed = newQueryContext();
    beginQuery(failed, request);
    resume(failed);
    if (accept(request.bytes, request.at, request.length, failed.question) !== 'ok') return undefined;
    setCode(failed, rcodes.SERVFAIL);
    return scratch.slice(0, deps.respond(failed));
  };

  const answerAsync: AnswerAsync = (request, reply) => {
    complete(request).then(reply, (error: unknown) => {
      report('answering a query failed', error);
      reply(serverFailure(request));
    });
  };

  return { answerSync, answerAsync };
}
