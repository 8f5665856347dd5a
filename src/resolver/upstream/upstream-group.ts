import { createHmac } from 'node:crypto';

/** The upstreams that a profile uses. */
export type UpstreamGroup = {
  /** Groups do not share answers: each has its own part of the cache. 0 is the operator's group. */
  readonly id: number;
  readonly upstreams: readonly string[];
};

export const DEFAULT_GROUP: UpstreamGroup = { id: 0, upstreams: [] };

/** Keyed by a secret of the installation: an account cannot choose upstreams that collide with the group of another account. */
export function upstreamGroupOf(upstreams: readonly string[], secret: Uint8Array): UpstreamGroup {
  if (upstreams.length === 0) return DEFAULT_GROUP;
  const sum = createHmac('sha256', secret).update(upstreams.join('\n')).digest();
  return { id: sum.readInt32LE(0) | 1, upstreams };
}
