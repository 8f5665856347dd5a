import { LATENCY_BUCKETS } from '../../kit/latency-buckets.ts';
/** An upstream that UDP threads query themselves. The resolver thread publishes the list when the health of an upstream changes. */
export type ForwardTarget = {
  /** Number of the member; also the index of its counters. */
  readonly number: number;
  /** Share of the queries that it gets, relative to the other targets. */
  readonly weight: number;
  /** Time without an answer after which the resolver thread takes over. */
  readonly waitMs: number;
  readonly via: ForwardVia;
};

export type ForwardVia =
  | {
      readonly kind: 'udp';
      readonly address: string;
      readonly port: number;
      readonly mixesCase: boolean;
      readonly sendsCookies: boolean;
    }
  /** The query goes over a connection of the resolver thread. */
  | {
      readonly kind: 'relay';
      /** Whether queries are padded, because the transport is encrypted. */
      readonly isPadded: boolean;
      /** Whether its AD bit is trusted. */
      readonly isTrusted: boolean;
    };

export type ForwardTargets = {
  readonly targets: readonly ForwardTarget[];
  /** Sockets per target and thread. */
  readonly sockets: number;
};

/** Counters of one thread for each target, which the resolver thread reads: see `counterIndex`, then latencies by bucket. */
export const MAX_TARGETS = 16;
export const counterIndex = { sent: 0, answered: 1, answeredMs: 2, mismatches: 3 } as const;
export const FIRST_BUCKET = 4;
export const COUNTERS = FIRST_BUCKET + LATENCY_BUCKETS;

export const createForwardCounters = (): SharedArrayBuffer => new SharedArrayBuffer(MAX_TARGETS * COUNTERS * 8);
