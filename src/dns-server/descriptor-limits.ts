import { readdirSync, readFileSync } from 'node:fs';
import { type ConnectionLimits, defaultConnectionLimits } from '../resolver/transport/connections.ts';

/** Open files: the limit of this process, and the current number. */
export type Descriptors = { readonly limit: number; readonly used: number };

type ListenerLimits = Pick<ConnectionLimits, 'connections' | 'resumeAt' | 'hellos' | 'handshakes'>;

const LISTENERS = 3;
/** For upstreams, the management API and files. */
const RESERVED = 1024;
const RESUME_AT = 0.8;
const MIN_CONNECTIONS = 2;

/** Limits of one listener, lower where all of them together would leave no descriptors for upstream sockets. */
export function connectionLimits(
  descriptors: Descriptors | undefined,
  connections: number = defaultConnectionLimits.connections,
): ListenerLimits {
  const free = descriptors ? descriptors.limit - descriptors.used : Infinity;
  const share = (free - Math.min(RESERVED, free / 2)) / LISTENERS;
  const { hellos, handshakes } = defaultConnectionLimits;
  // For a TLS listener; plain TCP then has fewer connections than possible.
  const part = Math.min(1, share / (connections + hellos + handshakes));
  const atLeast = (count: number): number => Math.max(MIN_CONNECTIONS, Math.floor(part * count));
  return {
    connections: atLeast(connections),
    resumeAt: Math.floor(RESUME_AT * atLeast(connections)),
    hellos: atLeast(hellos),
    handshakes: atLeast(handshakes),
  };
}

/** Undefined if the system does not report it: only Linux has /proc. */
export function readDescriptors(): Descriptors | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? undefined : { limit: Number(limit), used: readdirSync('/proc/self/fd').length };
  } catch {
    return undefined;
  }
}
