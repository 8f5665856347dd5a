import { writeMessage } from '../../dns/write-message.ts';
import { abortableSingleFlight } from '../../kit/single-flight.ts';
import { nameText } from '../../kit/wire-name.ts';
import type { ForwardTarget } from '../forwarder/target.ts';
import { failureMemory } from './failure-memory.ts';
import { forwardTable } from './forward-table.ts';
import { forwardTargets } from './forward-targets.ts';
import { createGroup, type Group } from './group.ts';
import type { LookupHost } from './host-addresses.ts';
import { type InFlight, inFlight } from './in-flight.ts';
import { answerLocally } from './local-zones.ts';
import type { Member, UpstreamEvent } from './member.ts';
import { createMembers } from './members.ts';
import { pooledRandom } from './random.ts';
import type { Relay } from './relay.ts';
import { type SentNames, sentNames } from './sent-names.ts';
import { statusOf, type UpstreamsStatus } from './status.ts';
import { failed, isUseful, type UpstreamAnswer } from './upstream-answer.ts';
import { foldedName, questionKey, type UpstreamQuestion } from './upstream-query.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export type { UpstreamsStatus } from './status.ts';

export type Upstreams = {
  /** Never rejects, and takes no longer than the configured timeout. */
  readonly resolve: (question: UpstreamQuestion) => Promise<UpstreamAnswer>;
  /** Whether a forwarding rule applies to this name, which is in lower case. */
  readonly isForwarded: (name: Uint8Array) => boolean;
  readonly status: () => UpstreamsStatus;
  /** The upstreams that UDP threads may query directly at the moment: none with the parallel strategy, or if they cannot use all of them. */
  readonly forwardTargets: () => readonly ForwardTarget[];
  /** Sends a query of a UDP thread to the upstream with this number. */
  readonly relay: (number: number, ...query: Parameters<Relay>) => void;
  /** Counts queries that UDP threads have exchanged with it. */
  readonly exchanged: (number: number, counts: Parameters<Member['exchanged']>[0]) => void;
  readonly stop: () => Promise<void>;
};

export type OpenUpstreamsDeps = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** `crypto.randomFillSync` */
  readonly randomFill: (bytes: Uint8Array) => void;
  readonly log: (event: UpstreamEvent) => void;
  /** Certificate authorities in addition to those of the system. */
  readonly ca?: readonly (string | Buffer)[];
  /** Limit shared by several sets of upstreams. */
  readonly inFlight?: InFlight;
  /** Shared by all threads, to detect loops through other threads. */
  readonly sent?: SentNames;
  readonly idleMs?: number;
  readonly lookup?: LookupHost;
};

export function openUpstreams(settings: UpstreamSettings, deps: OpenUpstreamsDeps): Upstreams {
  const { now } = deps;
  const random = pooledRandom(deps.randomFill);
  const failures = failureMemory(now);
  const log = (event: UpstreamEvent): void => {
    if (event.kind === 'upstream back') failures.forgetSilence();
    deps.log(event);
  };
  const sent = deps.sent ?? sentNames();
  const members = createMembers(settings, { ...deps, random, sent, log });
  const reportLoop = loopReporter(log, now);
  const trying = new Set<Member>();
  const limit = deps.inFlight ?? inFlight();
  const share = abortableSingleFlight<Promise<UpstreamAnswer>>((work) => work);
  const counters = { shared: 0, recalled: 0, local: 0, loops: 0 };

  const groupOf = (upstreams: UpstreamSettings['upstreams'], fallback: UpstreamSettings['fallback']): Group =>
    createGroup({ ...settings, main: members.of(upstreams), fallback: members.of(fallback) }, { now, random, trying });
  const ordinary = { group: groupOf(settings.upstreams, settings.fallback), number: 0 };
  const forwarded = forwardTable(
    settings.forward.flatMap(({ domains, upstreams }, index) => {
      const to = upstreams.length > 0 ? { group: groupOf(upstreams, []), number: index + 1 } : ordinary;
      return domains.map((domain) => ({ domain, to }));
    }),
  );

  async function ask(group: Group, question: UpstreamQuestion, key: string): Promise<UpstreamAnswer> {
    const leave = limit.enter(question.name, question.type);
    if (!leave) return failed('busy', 'too many queries in flight');
    try {
      const answer = await group.ask(question);
      if (isUseful(answer)) failures.forget(key);
      else if (answer.kind === 'answer' || !notCached.has(answer.why)) failures.remember(key, answer);
      return answer;
    } finally {
      leave();
    }
  }

  return {
    async resolve(clientQuestion) {
      if (sent.has(clientQuestion.name)) {
        counters.loops++;
        reportLoop(clientQuestion.name);
        return failed('loop', 'forwarding loop: our own query came back');
      }
      const question = { ...clientQuestion, name: foldedName(clientQuestion.name) };
      const forwardGroup = forwarded.find(question.name);
      const local =
        forwardGroup || settings.forwardsLocalZones
          ? undefined
          : answerLocally({ name: question.name, type: question.type, class: question.class });
      if (local) {
        counters.local++;
        return { kind: 'answer', bytes: writeMessage(local), message: local, upstream: 'local', elapsedMs: 0 };
      }

      const { group, number } = forwardGroup ?? ordinary;
      const key = `${number} ${questionKey(question)}`;
      const cachedFailure = failures.recall(key);
      if (cachedFailure) {
        counters.recalled++;
        group.tryThoseOut(question);
        return cachedFailure;
      }
      const { work, shared } = share(key, () => ask(group, question, key));
      if (shared) counters.shared++;
      return work;
    },
    isForwarded: (name) => forwarded.find(name) !== undefined,
    status: () => ({
      upstreams: members.all().map(statusOf),
      inFlight: limit.count(),
      refused: limit.refused(),
      ...counters,
    }),
    forwardTargets: () => forwardTargets(members.of(settings.upstreams), settings.strategy),
    relay(number, query, done) {
      const relay = members.all()[number]?.upstream.relay;
      if (relay) relay(query, done);
      else done(undefined);
    },
    exchanged: (number, counts) => members.all()[number]?.exchanged(counts),
    stop: async () => members.stop(),
  };
}

const LOOP_REPORT_MS = 60_000;

/** Logged once a minute, because in a loop every query comes back. */
function loopReporter(log: OpenUpstreamsDeps['log'], now: () => number): (name: Uint8Array) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (name) => {
    if (now() - reportedAt < LOOP_REPORT_MS) return;
    reportedAt = now();
    log({ kind: 'loop', name: nameText(foldedName(name), 0) });
  };
}

/** Too short-lived to be cached. */
const notCached: ReadonlySet<string> = new Set(['busy', 'stopped']);
