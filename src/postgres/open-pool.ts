import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readPostgresUrl } from '../kit/postgres-hosts.ts';

type PoolOptions = {
  readonly url: string;
  readonly maxConnections: number;
  readonly timeouts?: Partial<PostgresTimeouts>;
  readonly types: pg.CustomTypesConfig;
  /** Called when an idle connection is lost. The pool replaces it. */
  readonly onLost?: (error: Error) => void;
};

export type PostgresTimeouts = {
  readonly connectMs: number;
  /** The server cancels a statement after this time. */
  readonly statementMs: number;
  /** Timeout after which the client closes the connection, because the server or the network does not respond. */
  readonly responseMs: number;
  readonly idleInTransactionMs: number;
  /** After `limitWaits`, connections in use that receive nothing for this time are closed. */
  readonly lastWaitMs: number;
  /** The longest time that `close` takes. */
  readonly closeMs: number;
};

const usual: PostgresTimeouts = {
  connectMs: 5000,
  statementMs: 10_000,
  responseMs: 11_000,
  idleInTransactionMs: 60_000,
  lastWaitMs: 2000,
  closeMs: 1000,
};
const KEEP_ALIVE_MS = 10_000;

/** Whether the client has not received an answer in time. The connection must then not be used again. */
export const isResponseTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * Connections to PostgreSQL with timeouts for connecting, statements and closing. Statement timeouts and TCP keepalive detect networks that
 * drop packets silently.
 */
export function openPostgresPool({ url, maxConnections, types, onLost = () => {}, ...options }: PoolOptions) {
  const timeouts = { ...usual, ...options.timeouts };
  const { urls, mustWrite } = hostsOf(url);
  /** All connections, and the socket of each. */
  const sockets = new Map<pg.ClientBase, Socket>();
  const idle = new Set<pg.ClientBase>();
  let limiting: NodeJS.Timeout | undefined;
  let isSilent = false;
  let host = 0;

  /** Connects to the last host that was reached. */
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, connectionString: urls[host]!, stream: () => socket });
      sockets.set(this, socket);
      // A connection that is lost between two statements of a transaction emits an error; the next statement fails with it.
      this.on('error', () => {});
      socket.once('close', () => sockets.delete(this));
    }
  }
  const settings = {
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.responseMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'weir',
    types,
  };
  // Set by a statement, because PgBouncer rejects these as connection parameters.
  const prepare = async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ readonly read_only: string }>(
      `select set_config('statement_timeout', '${timeouts.statementMs}', false),
        set_config('idle_in_transaction_session_timeout', '${timeouts.idleInTransactionMs}', false),
        current_setting('transaction_read_only') as read_only`,
    );
    if (mustWrite && rows[0]?.read_only === 'on')
      throw Object.assign(new Error('the server is a standby: it cannot be written'), { code: '25006' });
  };
  const pool = new pg.Pool({ ...settings, max: maxConnections, Client: HostClient });
  pool.on('error', onLost);
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (error, client) => (error ? undefined : idle.add(client)));
  pool.on('remove', (client) => idle.delete(client));

  /** Tries each host once, starting with the current one. */
  const onAnyHost = async <T>(connect: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const tried = host;
      try {
        return await connect();
      } catch (error) {
        // All connections are in use, which is not a failure of the host.
        if (tries === urls.length || (error as Error).message.startsWith('timeout exceeded')) throw error;
        if (host === tried) host = (host + 1) % urls.length;
      }
    }
  };
  const prepared = new WeakSet<pg.ClientBase>();
  const connectPrepared = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    if (prepared.has(client)) return client;
    try {
      await prepare(client);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    prepared.add(client);
    return client;
  };
  const destroy = (client: pg.ClientBase): void => void sockets.get(client)?.destroy();

  return {
    connect: async () => {
      if (isSilent) throw Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });
      return onAnyHost(connectPrepared);
    },
    /** A connection outside of the pool, which the caller ends with `destroy`. */
    connectAlone: () =>
      onAnyHost(async () => {
        const client = new HostClient(settings);
        try {
          await client.connect();
          await prepare(client);
          return client;
        } catch (error) {
          destroy(client);
          throw error;
        }
      }),
    /** Closes a connection without waiting for the server. */
    destroy,
    /** Called after a connection did not respond: the others use the same network and may be dead, too. */
    destroyIdle: (): void => [...idle].forEach(destroy),
    /**
     * Call this when the process stops, because the time limit of the stop is shorter than that of a statement. After the first silent
     * connection, no statements are sent.
     */
    limitWaits: (): void => {
      let received = new Map<Socket, number>();
      const closeSilent = (): void => {
        const before = received;
        received = new Map();
        for (const [client, socket] of sockets) {
          if (idle.has(client)) continue;
          if (before.get(socket) === socket.bytesRead) {
            isSilent = true;
            socket.destroy();
          } else received.set(socket, socket.bytesRead);
        }
      };
      closeSilent();
      limiting ??= setInterval(closeSilent, timeouts.lastWaitMs).unref();
    },
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    /** Waits for statements and for the server, for at most `closeMs`. */
    close: async (): Promise<void> => {
      clearInterval(limiting);
      const ended = pool.end().then(() => Promise.all(Array.from(sockets.values(), (socket) => once(socket, 'close'))));
      await Promise.race([ended.catch(() => undefined), sleep(timeouts.closeMs)]);
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}

export type PostgresPool = ReturnType<typeof openPostgresPool>;

function hostsOf(url: string) {
  const read = readPostgresUrl(url);
  if (!read.ok) throw new Error(`the database URL ${read.error}`);
  return read.value;
}
