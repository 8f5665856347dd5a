import { type ReplayStream, replayStream } from '../kit/replay-stream.ts';
import { abortableSingleFlight, type Share } from '../kit/single-flight.ts';
import type { Compiled, CompileJob, ErrorResponse, Outcome, RunCompileJob } from './compile-job.ts';
import type { Found, ResultAbout, ResultCache } from './result-cache.ts';
import { resultKey } from './result-key.ts';
import { type WireEvent, wholeDurations } from './wire-events.ts';

/** Metadata of a result besides the list. */
export type Extra = Pick<Compiled, 'metrics' | 'dropped' | 'unsupported'>;

export type Result = Pick<ResultAbout, 'contentId' | 'compiledAt' | 'ruleCount'> & {
  /** Name of the list. */
  readonly name: string;
  /** Sources that are left out or replaced by an earlier copy. */
  readonly missing: readonly string[];
  readonly extra: Extra;
  /** Id under which the list can be fetched; undefined if it is not stored. */
  readonly key: string | undefined;
  /** `json`, if present, is the list as the content of a JSON array. */
  readonly list: { readonly plain: Uint8Array } | { readonly gzipped: Buffer; readonly json?: Uint8Array };
};

export type CompileResult =
  | {
      readonly kind: 'list';
      readonly how: 'cached' | 'fresh' | 'shared';
      readonly result: Result;
      readonly previous: Result | undefined;
    }
  | ({ readonly kind: 'failed' } & ErrorResponse);

/** Another node has run the job and stored its result. */
type RunElsewhere = { readonly kind: 'run elsewhere' };

type RunningJob = {
  readonly events: ReplayStream<WireEvent>;
  readonly outcome: Promise<Outcome | RunElsewhere>;
  /** Whether the result is stored; resolves after the write. */
  readonly stored: Promise<boolean>;
};

/** The caller of a compilation; the signal `gone` is aborted when its connection closes before the response is complete. */
export type Caller = { readonly client: string; readonly gone: () => AbortSignal };

export type FollowedJob = {
  readonly kind: 'following';
  readonly events: AsyncIterable<WireEvent>;
  readonly compiled: Promise<CompileResult>;
};

export type Deps = {
  readonly run: RunCompileJob;
  readonly cache: ResultCache;
  readonly compilerVersion: string;
  /** Reason why this client may not start more work now; stored results are always available. */
  readonly whyNoWork: (client: string) => Promise<ErrorResponse | undefined>;
  /** Runs a job unless another node runs it; undefined if that node has stored the result. */
  readonly runOnce: <T>(key: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T | undefined>;
};

type RunOnce = Deps['runOnce'];
type StartOptions = {
  readonly key: string | undefined;
  readonly client: string;
  readonly signal: AbortSignal;
  readonly once: RunOnce;
};

/** Used by callers that need the events of the run. */
const runHere: RunOnce = (_key, _signal, run) => run();

export type Compilations = ReturnType<typeof createCompilations>;

/** Compiles jobs: equal concurrent jobs share one run, and fresh results come from the cache. */
export function createCompilations({ run, cache, compilerVersion, whyNoWork, runOnce }: Deps) {
  const share = abortableSingleFlight<RunningJob>((job) => job.stored);
  let uncacheable = 0;
  const awaited = new Set<Share<RunningJob>>();

  // Requests with the same body are one job.
  const keys = new WeakMap<CompileJob, string>();
  const keyOf = (job: CompileJob): string | undefined => {
    if (!job.storesResult) return undefined;
    const key = keys.get(job) ?? resultKey({ ...job, compilerVersion });
    keys.set(job, key);
    return key;
  };

  async function compile(job: CompileJob, caller: Caller): Promise<CompileResult> {
    const key = keyOf(job);
    const found = key === undefined ? undefined : await cache.find(key);
    const cached = found?.isFresh ? await readStored(found) : undefined;
    if (cached) return { kind: 'list', how: 'cached', result: cached, previous: undefined };
    const previous = found && !found.isFresh ? await readStored(found) : undefined;
    const errorResponse = await whyNoWork(caller.client);
    if (errorResponse) return { kind: 'failed', ...errorResponse };
    const unchangedIf = previous && found?.about.validators;
    return finish(
      join({ ...job, unchangedIf }, key, caller, runOnce),
      { name: job.configuration.name, key, previous },
      caller,
    );
  }

  /** Like `compile`, but always runs and yields events. A stored result is used as the previous version only. */
  async function follow(
    job: CompileJob,
    caller: Caller,
  ): Promise<FollowedJob | Extract<CompileResult, { kind: 'failed' }>> {
    const key = keyOf(job);
    const found = key === undefined ? undefined : await cache.find(key);
    const previous = found && (await readStored(found));
    const errorResponse = await whyNoWork(caller.client);
    if (errorResponse) return { kind: 'failed', ...errorResponse };
    const joined = join(job, key, caller, runHere);
    return {
      kind: 'following',
      events: joined.work.events,
      compiled: finish(joined, { name: job.configuration.name, key, previous }, caller),
    };
  }

  function join(job: CompileJob, key: string | undefined, caller: Caller, once: RunOnce): Share<RunningJob> {
    // A run that only checks for changes must not be shared with callers that need a list.
    const name = key === undefined ? `alone ${uncacheable++}` : job.unchangedIf ? `${key} if changed` : key;
    const joined = share(name, (signal) => startJob(job, { key, client: caller.client, signal, once }));
    const leave = (): void => {
      awaited.delete(part);
      joined.leave();
    };
    const part = { ...joined, leave };
    awaited.add(part);
    const gone = caller.gone();
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    return part;
  }

  async function finish(
    part: Share<RunningJob>,
    { name, key, previous }: { name: string; key: string | undefined; previous: Result | undefined },
    caller: Caller,
  ): Promise<CompileResult> {
    const { work, shared, leave } = part;
    const outcome = await work.outcome.finally(() => awaited.delete(part));
    caller.gone().removeEventListener('abort', leave);
    // Resolves after the result is stored, so that the caller's next request finds it.
    const isStored = await work.stored;
    switch (outcome.kind) {
      case 'failed':
        return outcome;
      case 'compiled':
        return {
          kind: 'list',
          how: shared ? 'shared' : 'fresh',
          result: {
            ...outcome,
            name,
            key: isStored ? key : undefined,
            extra: extraOf(outcome),
            list: listOf(outcome),
          },
          previous,
        };
      case 'run elsewhere':
        return { kind: 'list', how: 'shared', result: await mustRead(key!), previous };
      case 'unchanged':
        return { kind: 'list', how: 'cached', result: previous ?? (await mustRead(key!)), previous: undefined };
    }
  }

  function startJob(job: CompileJob, { key, client, signal, once }: StartOptions): RunningJob {
    const events = replayStream<WireEvent>();
    const start = (): Promise<Outcome> => run(job, { client, signal, onEvent: (event) => events.push(event) });
    const outcome = (key === undefined ? start() : once(key, signal, start))
      .then((done) => done ?? ({ kind: 'run elsewhere' } as const))
      .finally(() => events.close());
    // Callers that arrive before the result is stored share its outcome.
    const stored = outcome.then((done) => storeOutcome(done, job, key));
    return { events, outcome, stored };
  }

  async function storeOutcome(
    outcome: Outcome | RunElsewhere,
    job: CompileJob,
    key: string | undefined,
  ): Promise<boolean> {
    if (key === undefined) return false;
    if (outcome.kind === 'run elsewhere') return true;
    if (outcome.kind === 'unchanged') await cache.renew(key);
    if (outcome.kind !== 'compiled' || outcome.gzipped === undefined || outcome.missing.length > 0) return false;
    const { contentId, compiledAt, ruleCount, validators, gzipped } = outcome;
    const { configuration, format, explain, onSourceError } = job;
    const about: ResultAbout = {
      key,
      contentId,
      compiledAt,
      ruleCount,
      listBytes: outcome.listBytes,
      configuration: { configuration, format, explain, onSourceError },
      extra: extraOf(outcome),
      validators,
    };
    await cache.save(about, gzipped);
    return (await cache.find(key)) !== undefined;
  }

  // Keyed weakly by the metadata, so an entry exists as long as the metadata is in the memory cache.
  const storedResults = new WeakMap<ResultAbout, Result & { readonly list: { readonly gzipped: Buffer } }>();

  async function readStored({ about }: Found): Promise<Result | undefined> {
    const gzipped = await cache.read(about.key, about.contentId);
    if (!gzipped) return undefined;
    const stored = storedResults.get(about);
    if (stored?.list.gzipped === gzipped) return stored;
    const result = {
      ...about,
      name: jobOf(about).configuration.name,
      missing: [],
      extra: storedExtra(about.extra),
      list: { gzipped },
    };
    storedResults.set(about, result);
    return result;
  }

  async function mustRead(key: string): Promise<Result> {
    const found = await cache.find(key);
    const stored = found && (await readStored(found));
    if (!stored) throw new Error('the stored result was removed before it could be read');
    return stored;
  }

  /** A list by its id or by the id of its content. An expired list is compiled again if possible. */
  async function fetchList(id: string, caller: Caller): Promise<Result | undefined> {
    const exact = await cache.findByContent(id);
    const found = exact ?? (await cache.find(id));
    if (!found) return undefined;
    if (exact || found.isFresh) return readStored(found);
    const compiled = await compile({ ...jobOf(found.about), storesResult: true }, caller);
    return compiled.kind === 'list' ? compiled.result : readStored(found);
  }

  return {
    compile,
    follow,
    fetchList,
    /** Number of requests waiting for a compilation. */
    awaited: () => awaited.size,
  };
}

type StoredJob = Pick<CompileJob, 'configuration' | 'format' | 'explain'> & Partial<Pick<CompileJob, 'onSourceError'>>;

/** Version 0.1 stored jobs without `onSourceError`. */
const jobOf = (about: ResultAbout) => ({ onSourceError: 'fail' as const, ...(about.configuration as StoredJob) });

function listOf({ list, gzipped }: Compiled): Result['list'] {
  if ('plain' in list) return list;
  if (!gzipped) throw new Error('the list of a result is neither plain nor compressed');
  return { json: list.json, gzipped: Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.length) };
}

/** Results stored by version 0.1 have `unsaid` instead of `unsupported`, and fractions of milliseconds. */
function storedExtra(extra: unknown): Extra {
  const { unsaid, metrics, ...rest } = extra as Extra & { unsaid?: Extra['unsupported'] };
  return { ...rest, metrics: wholeDurations(metrics), ...(unsaid !== undefined && { unsupported: unsaid }) };
}

const extraOf = ({ metrics, dropped, unsupported }: Compiled): Extra => ({ metrics, dropped, unsupported });
