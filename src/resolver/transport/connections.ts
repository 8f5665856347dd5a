import type { Socket } from 'node:net';
import { createFairPool, type FairPool } from './fair-pool.ts';

/** The peer of a connection, or the client behind the proxy that opened it. */
export type Origin = { readonly client: Uint8Array; readonly clientPort: number; readonly local: Uint8Array };

/** The state of a connection decides its timeout. */
type ConnectionState = 'hello' | 'handshake' | 'first' | 'message' | 'busy' | 'web' | 'idle';

/** Each stage of a connection has its own limit: one that is not yet established cannot displace one that is. */
type Stage = 'hello' | 'handshake' | 'established';

/** An admitted connection. Its protocol handler updates `state` and `since`. */
export type Connection = { readonly socket: Socket; origin: Origin; state: ConnectionState; since: number };

export type ConnectionLimits = {
  /** Established connections. */
  readonly connections: number;
  /** When all connections are busy and none can be evicted, new ones are refused until the number has fallen to this limit. */
  readonly resumeAt: number;
  /** Limit per IPv4 address or /56 of IPv6. */
  readonly perClient: number;
  /** Connections whose ClientHello is incomplete. They use a socket, but no memory of OpenSSL. */
  readonly hellos: number;
  /** Handshakes in progress. */
  readonly handshakes: number;
  readonly handshakesPerNetwork: number;
  /**
   * Minimum age at which a network displaces its own handshakes. Each handshake costs a signature, so a network must not be able to start
   * them continuously.
   */
  readonly handshakeMinAgeMs: number;
  readonly timeoutMs: Readonly<Record<ConnectionState, number>>;
  /** Replaces `timeoutMs.idle` when four fifths of the connections are in use. */
  readonly crowdedIdleMs: number;
  /** Replaces `timeoutMs.hello` when four fifths of `hellos` are in use. */
  readonly crowdedHelloMs: number;
};

export const defaultConnectionLimits: ConnectionLimits = {
  connections: 1000,
  resumeAt: 800,
  perClient: 50,
  hellos: 1000,
  handshakes: 200,
  handshakesPerNetwork: 25,
  handshakeMinAgeMs: 2000,
  // Timeouts per state, in chronological order. `busy` and `web` are times without a byte in either direction. A connection that only has
  // requests to the web interface is not busy and can be evicted for DNS queries.
  // A lost packet or a busy client delays the ClientHello by more than a second.
  timeoutMs: { hello: 5000, handshake: 5000, first: 2000, message: 5000, busy: 30_000, web: 360_000, idle: 30_000 },
  crowdedIdleMs: 10_000,
  crowdedHelloMs: 1000,
};

export type ConnectionCounts = { open: number; accepted: number; refused: number; timedOut: number; evicted: number };

export type ConnectionTracker = {
  readonly counts: Readonly<ConnectionCounts>;
  /** Evicts another connection if necessary; undefined if all are busy and none can be evicted. */
  readonly enter: (socket: Socket, origin: Origin, now: number, state: 'hello' | 'first') => Connection | undefined;
  /** Attributes the connection to the client in a PROXY header. */
  readonly setOrigin: (connection: Connection, origin: Origin) => void;
  /**
   * Counts the connection for its client. If the client has too many, closes an idle one of them; if none is idle, closes this one and
   * returns false.
   */
  readonly admit: (connection: Connection) => boolean;
  /** Moves a connection to its next stage; closes it and returns false if that stage is full. */
  readonly advance: (connection: Connection, state: 'handshake' | 'first', now: number) => boolean;
  /** Closes an idle connection to free its descriptor. */
  readonly evictOne: () => boolean;
  /** Closes the connections that have exceeded the timeout of their state. */
  readonly sweep: (now: number) => void;
  readonly all: () => Iterable<Connection>;
  /** Replaces limits. Connections beyond them are closed, except busy ones. */
  readonly useLimits: (limits: Partial<ConnectionLimits>) => void;
};

const CROWDED = 0.8;

export function createConnectionTracker(first: ConnectionLimits): ConnectionTracker {
  let limits = first;
  const pools: Readonly<Record<Stage, FairPool<Connection>>> = {
    hello: createFairPool({ size: limits.hellos }),
    handshake: createFairPool({
      size: limits.handshakes,
      perNetwork: limits.handshakesPerNetwork,
      minAgeMs: limits.handshakeMinAgeMs,
    }),
    established: createFairPool({ size: limits.connections, isBusy: ({ state }) => state === 'busy' }),
  };
  const all = Object.values(pools);
  const admitted = new Map<string, Set<Connection>>();
  const counts: ConnectionCounts = { open: 0, accepted: 0, refused: 0, timedOut: 0, evicted: 0 };
  let isFull = false;

  const countOpen = (): void => {
    counts.open = all.reduce((sum, { size }) => sum + size(), 0);
  };

  /** Adds the connection to a pool and evicts another one if the pool is full. */
  const join = (stage: Stage, connection: Connection): boolean => {
    const pool = pools[stage];
    const network = networkKey(connection.origin.client);
    const isLast = stage === 'established';
    if (isLast && pool.size() <= limits.resumeAt) isFull = false;
    if ((isLast && isFull) || !pool.hasRoomFor(network)) {
      const victim = pool.victimFor(network, connection.since);
      if (isLast) isFull = !victim;
      if (!victim) return false;
      counts.evicted++;
      end(victim);
    }
    pool.add(connection, network);
    countOpen();
    return true;
  };

  // Frees the slot now, because the close event comes later.
  const end = (connection: Connection): void => {
    for (const pool of all) pool.delete(connection);
    countOpen();
    const key = clientKey(connection.origin.client);
    const connectionsOfClient = admitted.get(key);
    if (connectionsOfClient?.delete(connection) && connectionsOfClient.size === 0) admitted.delete(key);
    connection.socket.destroy();
  };

  const evictIdle = (connections: ReadonlySet<Connection>): boolean => {
    let oldest: Connection | undefined;
    for (const connection of connections)
      if (connection.state === 'idle' && connection.since < (oldest?.since ?? Infinity)) oldest = connection;
    if (!oldest) return false;
    counts.evicted++;
    end(oldest);
    return true;
  };

  const refuse = (connection: Connection): false => {
    counts.refused++;
    end(connection);
    return false;
  };

  return {
    counts,
    enter(socket, origin, now, state) {
      const connection: Connection = { socket, origin, state, since: now };
      if (!join(stages[state], connection)) {
        counts.refused++;
        return undefined;
      }
      socket.once('close', () => end(connection));
      return connection;
    },
    setOrigin(connection, origin) {
      connection.origin = origin;
      const pool = all.find(({ has }) => has(connection));
      pool?.delete(connection);
      pool?.add(connection, networkKey(origin.client));
    },
    admit(connection) {
      const key = clientKey(connection.origin.client);
      const connectionsOfClient = admitted.get(key);
      if (connectionsOfClient && connectionsOfClient.size >= limits.perClient && !evictIdle(connectionsOfClient))
        return refuse(connection);
      counts.accepted++;
      // The set was deleted if its last member was evicted.
      admitted.set(key, (admitted.get(key) ?? new Set()).add(connection));
      return true;
    },
    advance(connection, state, now) {
      // The connection may have been evicted in the meantime.
      if (!all.some(({ has }) => has(connection))) return false;
      for (const pool of all) pool.delete(connection);
      connection.state = state;
      connection.since = now;
      return join(stages[state], connection) || refuse(connection);
    },
    evictOne() {
      const victim = all.map(({ victim: pick }) => pick()).find((found) => found !== undefined);
      if (!victim) return false;
      counts.evicted++;
      end(victim);
      return true;
    },
    sweep(now) {
      const timeouts = { ...limits.timeoutMs };
      if (pools.established.size() > CROWDED * limits.connections) timeouts.idle = limits.crowdedIdleMs;
      if (pools.hello.size() > CROWDED * limits.hellos) timeouts.hello = limits.crowdedHelloMs;
      for (const pool of all)
        for (const connection of pool.members()) {
          if (now - connection.since < timeouts[connection.state]) continue;
          counts.timedOut++;
          end(connection);
        }
    },
    all: () => all.flatMap((pool) => [...pool.members()]),
    useLimits(next) {
      limits = { ...limits, ...next };
      isFull = false;
      const sizes = { hello: limits.hellos, handshake: limits.handshakes, established: limits.connections };
      for (const stage of Object.keys(pools) as Stage[]) {
        const pool = pools[stage];
        pool.resize(sizes[stage]);
        while (pool.size() > sizes[stage]) {
          const victim = pool.victim();
          if (!victim) break;
          counts.evicted++;
          end(victim);
        }
      }
    },
  };
}

const stages: Readonly<Record<'hello' | 'handshake' | 'first', Stage>> = {
  hello: 'hello',
  handshake: 'handshake',
  first: 'established',
};

/** Per network, because an IPv6 host can use any address of its network. */
const clientKey = (client: Uint8Array): string =>
  client.length === 4 ? client.join('.') : client.subarray(0, 7).join(':');

/** /24 of IPv4, /56 of IPv6. */
const networkKey = (client: Uint8Array): string =>
  client.length === 4 ? client.subarray(0, 3).join('.') : client.subarray(0, 7).join(':');
