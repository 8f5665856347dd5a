import { randomUUID } from 'node:crypto';
import type { QueryRecord } from '../domain/query-record.ts';
import type { Valkey } from './open-valkey.ts';

type Watch = (account: string, listener: (records: readonly QueryRecord[], missed: number) => void) => () => void;

const ANNOUNCE_MS = 10_000;
/** Time after which announcements of a node expire, in case it has crashed. */
const EXPIRE_MS = 3 * ANNOUNCE_MS;
const WATCHED = 'live:watched';
const channelOf = (account: string): string => `live:${account}`;

type Announcement = { readonly node: string; readonly account: string };
type Published = { readonly node: string; readonly records: readonly QueryRecord[]; readonly missed: number };

/**
 * The live log of all nodes. A node with viewers announces the account; the others then publish the account's new queries. Queries
 * without viewers stay on their node.
 */
export function sharedLiveLog({ publish, subscribe }: Pick<Valkey, 'publish' | 'subscribe'>, watchHere: Watch) {
  const node = randomUUID();
  /** Viewers of each account on this node. */
  const viewers = new Map<string, number>();
  /** Accounts with viewers on other nodes. */
  const published = new Map<string, { readonly stop: () => void; until: number }>();

  const announce = (account: string): void =>
    publish(WATCHED, JSON.stringify({ node, account } satisfies Announcement));

  const publishQueries = (account: string): void => {
    const until = performance.now() + EXPIRE_MS;
    const running = published.get(account);
    if (running) {
      running.until = until;
      return;
    }
    const stop = watchHere(account, (records, missed) =>
      publish(channelOf(account), JSON.stringify({ node, records, missed } satisfies Published)),
    );
    published.set(account, { stop, until });
  };

  const stopListening = subscribe(WATCHED, (message) => {
    const announced = JSON.parse(message) as Announcement;
    if (announced.node !== node) publishQueries(announced.account);
  });
  const timer = setInterval(() => {
    for (const account of viewers.keys()) announce(account);
    for (const [account, { stop, until }] of published) {
      if (until > performance.now()) continue;
      stop();
      published.delete(account);
    }
  }, ANNOUNCE_MS).unref();

  const watch: Watch = (account, listener) => {
    const stopHere = watchHere(account, listener);
    const stopOthers = subscribe(channelOf(account), (message) => {
      const { node: from, records, missed } = JSON.parse(message) as Published;
      if (from !== node) listener(records, missed);
    });
    viewers.set(account, (viewers.get(account) ?? 0) + 1);
    announce(account);
    return () => {
      stopHere();
      stopOthers();
      const left = viewers.get(account)! - 1;
      if (left === 0) viewers.delete(account);
      else viewers.set(account, left);
    };
  };

  return {
    watch,
    stop: (): void => {
      clearInterval(timer);
      stopListening();
      for (const { stop } of published.values()) stop();
    },
  };
}
