import type { Socket } from 'node:net';
import type { Exchange, ExchangeCounters, Exchanged } from './exchange.ts';
import type { Random } from './random.ts';
import { bareRefusal, isBareRefusal, readAnswer } from './read-answer.ts';
import { lateCheck, RELAY_MS, type Relay } from './relay.ts';
import { openConnection, type StreamConnection } from './stream-connection.ts';
import { failed } from './upstream-answer.ts';
import { queryBytes, type UpstreamQuestion } from './upstream-query.ts';

export type StreamDeps = {
  readonly dial: (signal: AbortSignal) => Promise<Socket>;
  readonly now: () => number;
  readonly random: Random;
  readonly counters: ExchangeCounters;
  /** Whether queries are padded, for encrypted transports. */
  readonly padded: boolean;
  readonly trusted: boolean;
  readonly idleMs: number;
};

const MAX_CONNECTIONS = 10;
const MAX_IN_FLIGHT = 1000;
// Queries in flight per connection before another one is opened. With few connections, packets carry many queries.
const COMFORTABLE = 100;
// A connection that another query has just opened counts as new.
const NEW_MS = 1000;

/** TCP and TLS: few connections, many queries on each, answers in any order (RFC 7766). */
export function streamPool(deps: StreamDeps) {
  const connections = new Set<StreamConnection>();
  const all = new Set<StreamConnection>();

  const open = (): StreamConnection => {
    deps.counters.connections++;
    const connection: StreamConnection = openConnection({
      ...deps,
      onStray: () => deps.counters.mismatches++,
      onRetired: () => connections.delete(connection),
      onClosed: () => all.delete(connection),
    });
    connections.add(connection);
    all.add(connection);
    return connection;
  };

  const choose = (fresh: boolean): StreamConnection | undefined => {
    const isNew = ({ openedAt }: StreamConnection): boolean => deps.now() - openedAt < NEW_MS;
    let able: StreamConnection | undefined;
    let best: StreamConnection | undefined;
    for (const one of connections) {
      if (one.inFlight() >= MAX_IN_FLIGHT) continue;
      able ??= one;
      if ((!fresh || isNew(one)) && (!best || one.inFlight() < best.inFlight())) best = one;
    }
    if (best && (best.inFlight() < COMFORTABLE || connections.size >= MAX_CONNECTIONS)) return best;
    return connections.size < MAX_CONNECTIONS ? open() : (best ?? able);
  };

  const once = (question: UpstreamQuestion, edns: boolean, fresh: boolean, signal: AbortSignal): Promise<Exchanged> =>
    new Promise((resolve) => {
      const connection = choose(fresh);
      if (!connection) return resolve(failed('busy', 'too many queries in flight to this upstream'));
      const settle = (outcome: Exchanged): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const giveUp = (): void => {
        release();
        settle(failed('timeout', 'no answer in time'));
      };
      const release = connection.send(
        (id) => queryBytes(question, { id, edns, padded: deps.padded, authenticData: deps.trusted }),
        {
          receive: (message) => settle(outcomeOf(message, question, deps)),
          fail: settle,
        },
      );
      signal.addEventListener('abort', giveUp, { once: true });
    });

  const late = lateCheck(() => {
    for (const connection of all) connection.giveUpLate();
  });
  const relay: Relay = (query, done) => {
    const connection = choose(false);
    if (!connection) {
      done(undefined);
      return;
    }
    late.start();
    connection.send((id) => withId(query, id), {
      until: deps.now() + RELAY_MS,
      receive: (message) => done(withId(message, 0)),
      fail: () => done(undefined),
    });
  };
  const exchange: Exchange = async (question, { edns, fresh, signal }) => {
    if (signal.aborted) return failed('timeout', 'no answer in time');
    const first = await once(question, edns, fresh, signal);
    // Servers may close connections at any time (RFC 7766, 6.2.4). If a new one is closed as well, the query failed.
    if (first.kind !== 'failed' || first.why !== 'closed' || signal.aborted) return first;
    return once(question, edns, true, signal);
  };

  return {
    exchange,
    relay,
    forwardVia: () => ({ kind: 'relay', isPadded: deps.padded, isTrusted: deps.trusted }) as const,
    open: () => all.size,
    stop() {
      late.stop();
      for (const connection of all) connection.close();
    },
  };
}

function withId(message: Uint8Array, id: number): Uint8Array {
  message[0] = id >> 8;
  message[1] = id;
  return message;
}

/** Only the upstream can write to the connection, so a mismatch is its error, and no better answer follows. */
function outcomeOf(message: Uint8Array, question: UpstreamQuestion, { counters, trusted }: StreamDeps): Exchanged {
  const read = isBareRefusal(message) ? bareRefusal(message, question) : readAnswer(message, { question, trusted });
  switch (read.kind) {
    case 'answer':
      return read;
    case 'truncated':
      counters.malformed++;
      return failed('malformed', 'a response over a connection was truncated');
    case 'bad':
      counters.malformed++;
      return failed('malformed', read.why);
    case 'not it':
      counters.malformed++;
      return failed('malformed', 'the response does not match the query');
  }
}
