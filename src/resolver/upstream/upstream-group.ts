import { createHmac } from 'node:crypto';

/** Whom the questions of a DNS server go to. */
export type UpstreamGroup = {
  /** Answers of one group are never given to another: each has its own part of the cache. 0 is the operator's. */
  readonly id: number;
  readonly upstreams: readonly string[];
};

export const DEFAULT_GROUP: UpstreamGroup = { id: 0, upstreams: [] };

/** By a secret of the installation: nobody can choose upstreams so that they share a group with somebody else's. */
export function upstreamGroupOf(upstreams: readonly string[], secret: Uint8Array): UpstreamGroup {
  if (upstreams.length === 0) return DEFAULT_GROUP;
  const sum = createHmac('sha256', secret).update(upstreams.join('\n')).digest();
  return { id: sum.readInt32LE(0) | 1, upstreams };
}
