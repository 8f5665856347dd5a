import { Redis } from 'ioredis';

const COMMAND_MS = 500;
const CONNECT_MS = 2000;
/** Pause after a command without an answer, if the server is frozen or overloaded. */
const PAUSE_MS = 1000;
const RETRY_STEP_MS = 200;
const MAX_RETRY_MS = 5000;
/** Prefix of keys and channels, because the server may be shared with other programs. */
const PREFIX = 'weir:';

type Listener = (message: string) => void;

export type ValkeyEvents = {
  /** Called once when the connection is lost or cannot be opened, not for every attempt. */
  readonly onDown: (reason: string) => void;
  readonly onUp: () => void;
};

export type Valkey = Awaited<ReturnType<typeof openValkey>>;

/**
 * Connects to Valkey or Redis and reconnects automatically. If the server does not answer, `attempt` returns undefined immediately, and its
 * caller uses the state of this process.
 */
export async function openValkey(url: string, { onDown, onUp }: ValkeyEvents) {
  const connection = {
    keyPrefix: PREFIX,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: (attempts: number) => Math.min(attempts * RETRY_STEP_MS, MAX_RETRY_MS),
  };
  const commands = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_MS };
  const client = new Redis(url, { ...connection, ...commands });
  // Subscriptions wait for the connection.
  const subscriber = new Redis(url, { ...connection, maxRetriesPerRequest: null });
  const listeners = new Map<string, Set<Listener>>();
  let state: 'unknown' | 'up' | 'down' = 'unknown';
  let pausedUntil = 0;
  let lastError = 'the connection was closed';

  const down = (reason: string): void => {
    if (state === 'down') return;
    state = 'down';
    onDown(reason);
  };
  client.on('error', ({ message }: Error) => {
    lastError = message;
  });
  client.on('close', () => down(lastError));
  const up = (): void => {
    if (state === 'up') return;
    state = 'up';
    onUp();
  };
  client.on('ready', up);
  // The other connection reports the same errors.
  subscriber.on('error', () => {});
  subscriber.on('message', (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message);
  });
  const connecting = Promise.allSettled([client.connect(), subscriber.connect()]);
  // Waits for the connection at the start, so that the first requests are counted together with those of other nodes.
  await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, CONNECT_MS).unref())]);

  return {
    isUp: (): boolean => state === 'up',
    /** Undefined if the server does not answer in time or rejects the command. */
    attempt: async <T>(work: (connected: Redis) => Promise<T>): Promise<{ readonly value: T } | undefined> => {
      if (client.status !== 'ready' || performance.now() < pausedUntil) return undefined;
      try {
        const value = await work(client);
        up();
        return { value };
      } catch (error) {
        pausedUntil = performance.now() + PAUSE_MS;
        down((error as Error).message);
        return undefined;
      }
    },
    publish: (channel: string, message: string): void => {
      // Errors are ignored, because messages are best effort.
      if (client.status === 'ready') client.publish(PREFIX + channel, message).catch(() => undefined);
    },
    /** Calls the listener with every message from now on, except those during a lost connection. */
    subscribe: (channel: string, listener: Listener): (() => void) => {
      const name = PREFIX + channel;
      const channelListeners = listeners.get(name) ?? new Set();
      listeners.set(name, channelListeners.add(listener));
      if (channelListeners.size === 1) subscriber.subscribe(name).catch(() => undefined);
      return () => {
        channelListeners.delete(listener);
        if (channelListeners.size > 0 || listeners.get(name) !== channelListeners) return;
        listeners.delete(name);
        subscriber.unsubscribe(name).catch(() => undefined);
      };
    },
    close: (): void => {
      client.removeAllListeners('close');
      client.disconnect();
      subscriber.disconnect();
    },
  };
}
