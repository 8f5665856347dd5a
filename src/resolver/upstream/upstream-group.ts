import { createHmac } from 'node:crypto';
import type { UpstreamStrategy } from '../../domain/upstream-strategy.ts';

/** The upstreams that a profile uses. */
export type UpstreamGroup = {
  /** Each group has its own cache partition, so that groups do not share answers. 0 is the operator's group. */
  readonly id: number;
  readonly upstreams: readonly string[];
  /** Undefined for the operator's upstreams. */
  readonly strategy: UpstreamStrategy | undefined;
  /** `forward`: from a forwarding rule of an account, which precedes the operator's rules and the built-in local zones. */
  readonly kind: 'operator' | 'custom' | 'forward';
};

export const DEFAULT_GROUP: UpstreamGroup = { id: 0, upstreams: [], strategy: undefined, kind: 'operator' };

type Chosen = Pick<UpstreamGroup, 'upstreams' | 'strategy'>;

/** Keyed with a secret of the installation, so that an account cannot choose upstreams that collide with the group of another account. */
export const upstreamGroupOf = (chosen: Chosen, secret: Uint8Array): UpstreamGroup =>
  chosen.upstreams.length === 0 ? DEFAULT_GROUP : groupOf('custom', chosen, secret);

/** Differs from the group of custom upstreams at the same addresses, whose answers for local zones differ. */
export const forwardGroupOf = (chosen: Chosen, secret: Uint8Array): UpstreamGroup => groupOf('forward', chosen, secret);

function groupOf(kind: UpstreamGroup['kind'], { upstreams, strategy }: Chosen, secret: Uint8Array): UpstreamGroup {
  const text = [kind, strategy ?? '', ...upstreams].join('\n');
  const id = createHmac('sha256', secret).update(text).digest().readInt32LE(0) | 1;
  return { id, upstreams, strategy, kind };
}
