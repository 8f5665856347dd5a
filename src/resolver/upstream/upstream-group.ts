import { createHmac } from 'node:crypto';

/** Whom the questions of a DNS server go to. */
export type Via = {
  /** Answers of one group are never given to another: each has its own part of the cache. 0 is the operator's. */
  readonly group: number;
  readonly upstreams: readonly string[];
};

export const ORDINARY: Via = { group: 0, upstreams: [] };

/** By a secret of the installation: nobody can choose upstreams so that they share a group with somebody else's. */
export function viaOf(upstreams: readonly string[], secret: Uint8Array): Via {
  if (upstreams.length === 0) return ORDINARY;
  const sum = createHmac('sha256', secret).update(upstreams.join('\n')).digest();
  return { group: sum.readInt32LE(0) | 1, upstreams };
}
