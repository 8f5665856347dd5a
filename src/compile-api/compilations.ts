import { type ReplayStream, replayStream } from '../kit/replay-stream.ts';
import { abortableSingleFlight, type Share } from '../kit/single-flight.ts';
import type { Compiled, Order, Outcome, Refusal, RunOrder } from './compile-job.ts';
import type { Found, ResultAbout, ResultCache } from './result-cache.ts';
import { resultKey } from './result-key.ts';
import type { WireEvent } from './wire-events.ts';

/** What is kept of a result beside the list. */
export type Extra = Pick<Compiled, 'metrics' | 'dropped' | 'unsupported'>;

export type Result = Pick<ResultAbout, 'contentId' | 'compiledAt' | 'ruleCount'> & {
  /** What the list is called. */
  readonly name: string;
  readonly extra: Extra;
  /** Under which the list can be fetched; undefined when it is not kept. */
  readonly key: string | undefined;
  /** `json`, where there is one, is the same as a piece of JSON. */
  readonly list: { readonly plain: Uint8Array } | { readonly gzipped: Buffer; readonly json?: Uint8Array };
};

export type Delivery =
  | {
      readonly kind: 'list';
      readonly how: 'cached' | 'fresh' | 'shared';
      readonly result: Result;
      readonly previous: Result | undefined;
    }
  | ({ readonly kind: 'failed' } & Refusal);

type Job = {
  readonly events: ReplayStream<WireEvent>;
  readonly outcome: Promise<Outcome>;
  /** Whether the result is kept; known once it is safe. */
  readonly kept: Promise<boolean>;
};

/** A request for a compilation: by whom, and when nobody waits for the answer any more. */
export type Asking = { readonly client: string; readonly gone: AbortSignal };

export type Following = {
  readonly kind: 'following';
  readonly events: AsyncIterable<WireEvent>;
  readonly delivery: Promise<Delivery>;
};

export type Deps = {
  readonly run: RunOrder;
  readonly cache: ResultCache;
  readonly compilerVersion: string;
  /** Why this client may start no more work for now; what is kept already, it may always have. */
  readonly whyNoWork: (client: string) => Refusal | undefined;
};

export type Compilations = ReturnType<typeof createCompilations>;

/** Compiles what is ordered, once for all who order it at the same time, and not at all for what is kept. */
export function createCompilations({ run, cache, compilerVersion, whyNoWork }: Deps) {
  const share = abortableSingleFlight<Job>((job) => job.kept);
  let uncacheable = 0;
  const awaited = new Set<Share<Job>>();

  // An order that comes again, as the very same object, is not hashed again.
  const keys = new WeakMap<Order, string>();
  const keyOf = (order: Order): string | undefined => {
    if (!order.keep) return undefined;
    const key = keys.get(order) ?? resultKey({ ...order, compilerVersion });
    keys.set(order, key);
    return key;
  };

  async function compile(order: Order, asking: Asking): Promise<Delivery> {
    const key = keyOf(order);
    const found = key === undefined ? undefined : await cache.find(key);
    const cached = found?.isFresh ? await readKept(found) : undefined;
    if (cached) return { kind: 'list', how: 'cached', result: cached, previous: undefined };
    const previous = found && !found.isFresh ? await readKept(found) : undefined;
    const refusal = whyNoWork(asking.client);
    if (refusal) return { kind: 'failed', ...refusal };
    const unchangedIf = previous && found?.about.validators;
    return settle(
      join({ ...order, unchangedIf }, key, asking),
      { name: order.configuration.name, key, previous },
      asking,
    );
  }

  /** The same, but always compiled, with its progress. What is kept serves as the previous version only. */
  async function follow(order: Order, asking: Asking): Promise<Following | Extract<Delivery, { kind: 'failed' }>> {
    const key = keyOf(order);
    const found = key === undefined ? undefined : await cache.find(key);
    const previous = found && (await readKept(found));
    const refusal = whyNoWork(asking.client);
    if (refusal) return { kind: 'failed', ...refusal };
    const joined = join(order, key, asking);
    return {
      kind: 'following',
      events: joined.work.events,
      delivery: settle(joined, { name: order.configuration.name, key, previous }, asking),
    };
  }

  function join(order: Order, key: string | undefined, asking: Asking): Share<Job> {
    // Whoever only asks whether something has changed does not do what others wait for.
    const name = key === undefined ? `alone ${uncacheable++}` : order.unchangedIf ? `${key} if changed` : key;
    const joined = share(name, (signal) => startJob(order, key, asking.client, signal));
    const leave = (): void => {
      awaited.delete(part);
      joined.leave();
    };
    const part = { ...joined, leave };
    awaited.add(part);
    if (asking.gone.aborted) leave();
    else asking.gone.addEventListener('abort', leave, { once: true });
    return part;
  }

  async function settle(
    part: Share<Job>,
    { name, key, previous }: { name: string; key: string | undefined; previous: Result | undefined },
    asking: Asking,
  ): Promise<Delivery> {
    const { work, shared, leave } = part;
    const outcome = await work.outcome.finally(() => awaited.delete(part));
    asking.gone.removeEventListener('abort', leave);
    // Whoever asks again once it has the answer finds it kept.
    const isKept = await work.kept;
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
            key: isKept ? key : undefined,
            extra: extraOf(outcome),
            list: listOf(outcome),
          },
          previous,
        };
      case 'unchanged':
        return { kind: 'list', how: 'cached', result: previous ?? (await mustRead(key!)), previous: undefined };
    }
  }

  function startJob(order: Order, key: string | undefined, client: string, signal: AbortSignal): Job {
    const events = replayStream<WireEvent>();
    const outcome = run(order, { client, signal, onEvent: (event) => events.push(event) }).finally(() =>
      events.close(),
    );
    // Those who come between the end of the work and its being kept share its outcome.
    const kept = outcome.then((done) => keep(done, order, key));
    return { events, outcome, kept };
  }

  async function keep(outcome: Outcome, order: Order, key: string | undefined): Promise<boolean> {
    if (key === undefined) return false;
    if (outcome.kind === 'unchanged') await cache.renew(key);
    if (outcome.kind !== 'compiled' || outcome.gzipped === undefined) return false;
    const { contentId, compiledAt, ruleCount, validators, gzipped } = outcome;
    const { configuration, format, explain } = order;
    const about: ResultAbout = {
      key,
      contentId,
      compiledAt,
      ruleCount,
      listBytes: outcome.listBytes,
      configuration: { configuration, format, explain },
      extra: extraOf(outcome),
      validators,
    };
    await cache.save(about, gzipped);
    return (await cache.find(key)) !== undefined;
  }

  async function readKept({ about }: Found): Promise<Result | undefined> {
    const gzipped = await cache.read(about.key, about.contentId);
    return (
      gzipped && {
        ...about,
        name: orderOf(about).configuration.name,
        extra: storedExtra(about.extra),
        list: { gzipped },
      }
    );
  }

  async function mustRead(key: string): Promise<Result> {
    const found = await cache.find(key);
    const kept = found && (await readKept(found));
    if (!kept) throw new Error('an unchanged result is no longer cached');
    return kept;
  }

  /** A list by the id it is kept under, or by that of its content. Past its time it is made anew, if that can be done. */
  async function fetchList(id: string, asking: Asking): Promise<Result | undefined> {
    const exact = await cache.findByContent(id);
    const found = exact ?? (await cache.find(id));
    if (!found) return undefined;
    if (exact || found.isFresh) return readKept(found);
    const delivery = await compile({ ...orderOf(found.about), keep: true }, asking);
    return delivery.kind === 'list' ? delivery.result : readKept(found);
  }

  return {
    compile,
    follow,
    fetchList,
    /** How many requests wait for a compilation, whoever it was begun for. */
    awaited: () => awaited.size,
  };
}

const orderOf = (about: ResultAbout) => about.configuration as Pick<Order, 'configuration' | 'format' | 'explain'>;

function listOf({ list, gzipped }: Compiled): Result['list'] {
  if ('plain' in list) return list;
  if (!gzipped) throw new Error('a result has only JSON');
  return { json: list.json, gzipped: Buffer.from(gzipped.buffer, gzipped.byteOffset, gzipped.length) };
}

/** Results stored by version 0.1 have `unsaid` instead of `unsupported`. */
function storedExtra(extra: unknown): Extra {
  const { unsaid, ...rest } = extra as Extra & { unsaid?: Extra['unsupported'] };
  return unsaid === undefined ? rest : { ...rest, unsupported: unsaid };
}

const extraOf = ({ metrics, dropped, unsupported }: Compiled): Extra => ({ metrics, dropped, unsupported });
