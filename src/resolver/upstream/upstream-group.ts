import { createHmac } from 'node:crypto';

/** The upstreams that a profile uses. */
export type UpstreamGroup = {
  /** Groups do not share answers: each has its own part of the cache. 0 is the operator's group. */
  readonly id: number;
  readonly upstreams: readonly string[];
  /** `forward`: of a forwarding rule of an account, which precedes the operator's rules and the built-in local zones. */
  readonly kind: 'operator' | 'custom' | 'forward';
};

export const DEFAULT_GROUP: UpstreamGroup = { id: 0, upstreams: [], kind: 'operator' };

/** Keyed by a secret of the installation: an account cannot choose upstreams that collide with the group of another account. */
export function upstreamGroupOf(upstreams: readonly string[], secret: Uint8Array): UpstreamGroup {
  if (upstreams.length === 0) return DEFAULT_GROUP;
  return { id: groupId(upstreams.join('\n'), secret), upstreams, kind: 'custom' };
}

/** Never the group of custom upstreams at the same addresses, whose answers for local zones differ. */
export const forwardGroupOf = (upstreams: readonly string[], secret: Uint8Array): UpstreamGroup => ({
  id: groupId(`forward\n${upstreams.join('\n')}`, secret),
  upstreams,
  kind: 'forward',
});

const groupId = (text: string, secret: Uint8Array): number =>
  createHmac('sha256', secret).update(text).digest().readInt32LE(0) | 1;
