import { LATENCY_BUCKETS } from '../kit/latency-buckets.ts';
import { COUNTERS, counterIndex, FIRST_BUCKET, type ForwardTargets } from '../resolver/forwarder/target.ts';
import { createNameFilter } from '../resolver/local-names/name-filter.ts';
import { localZones } from '../resolver/upstream/local-zones.ts';
import type { Upstreams } from '../resolver/upstream/open-upstreams.ts';
import type { UpstreamSettings } from '../resolver/upstream/upstream-settings.ts';
import type { Descriptors } from './descriptor-limits.ts';
import type { ToUdp } from './thread-messages.ts';

const EVERY_MS = 100;
const MAX_SOCKETS = 1024;
/** Share of all descriptors for sockets to upstreams. */
const DESCRIPTOR_SHARE = 8;

export type UdpThread = { readonly send: (message: ToUdp) => void; readonly forwardCounters: Float64Array };

/** Publishes the upstreams that UDP threads may query, and adds the counts of these threads to the health of the upstreams. */
export function publishTargets(
  upstreams: Pick<Upstreams, 'forwardTargets' | 'exchanged'>,
  { forward }: Pick<UpstreamSettings, 'forward'>,
  threads: () => readonly UdpThread[],
  descriptors: Descriptors | undefined,
) {
  const namesOf = (rules: UpstreamSettings['forward']) =>
    createNameFilter({
      names: [],
      zones: [...localZones, ...rules.flatMap(({ domains }) => domains)],
      matchesSingleLabels: false,
    });
  let names = namesOf(forward);
  let published = '';
  let seen = new Float64Array(0);

  const collect = (): void => {
    const all = threads();
    const sums = new Float64Array(all[0]?.forwardCounters.length ?? 0);
    for (const { forwardCounters } of all) for (let i = 0; i < sums.length; i++) sums[i]! += forwardCounters[i]!;
    for (let number = 0; number * COUNTERS < sums.length; number++) {
      const sinceAt = (offset: number): number => {
        const index = number * COUNTERS + offset;
        return sums[index]! - (seen[index] ?? 0);
      };
      const since = (what: keyof typeof counterIndex): number => sinceAt(counterIndex[what]);
      const [asked, answered, mismatches] = [since('sent'), since('answered'), since('mismatches')];
      if (asked === 0 && answered === 0 && mismatches === 0) continue;
      const buckets = Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => sinceAt(FIRST_BUCKET + bucket));
      const latency = { buckets, sumMs: since('answeredMs') };
      upstreams.exchanged(number, { asked, answered, latency, mismatches });
    }
    seen = sums;
  };

  const current = (): ForwardTargets => {
    const targets = upstreams.forwardTargets();
    const share = (descriptors?.limit ?? Infinity) / DESCRIPTOR_SHARE / Math.max(1, threads().length * targets.length);
    return { targets, sockets: Math.max(1, Math.min(MAX_SOCKETS, Math.floor(share))) };
  };
  const publish = (): void => {
    const targets = current();
    const text = JSON.stringify(targets);
    if (text === published) return;
    published = text;
    for (const { send } of threads()) send({ kind: 'upstreams', targets, localNames: names.memory });
  };

  const timer = setInterval(() => {
    collect();
    publish();
  }, EVERY_MS);
  return {
    publish,
    /** Upstreams and forwarding rules were replaced. */
    useForward(rules: UpstreamSettings['forward']): void {
      names = namesOf(rules);
      published = '';
      publish();
    },
    /** To be called for each new thread. */
    start: ({ send }: UdpThread): void => send({ kind: 'upstreams', targets: current(), localNames: names.memory }),
    stop: (): void => clearInterval(timer),
  };
}
