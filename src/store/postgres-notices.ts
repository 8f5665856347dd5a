import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { builders, type Run } from './database.ts';

const CHANNEL = 'weir_changed';
const RECONNECT_MS = 1000;
/** PostgreSQL limits notifications to less than 8000 bytes. */
const MAX_LISTED = 7000;

type Notice = { readonly by: string; readonly accounts: readonly AccountId[] | 'all' };
type Listener = (changed: ChangedAccounts) => void;

/** Change notifications between processes on one database (LISTEN/NOTIFY). */
export function listenToOthers(newClient: () => pg.Client) {
  const me = randomUUID();
  let listener: Listener = () => {};
  let client: pg.Client | undefined;
  let connecting: Promise<boolean> = Promise.resolve(false);
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;

  const connect = async (): Promise<boolean> => {
    const one = newClient();
    client = one;
    one.on('notification', ({ payload = '' }) => hear(payload));
    one.on('error', () => tryAgain(one));
    one.on('end', () => tryAgain(one));
    try {
      await one.connect();
      await one.query(`listen ${CHANNEL}`);
      return true;
    } catch {
      // Queries report the failure themselves; here only reconnect.
      tryAgain(one);
      return false;
    }
  };

  const tryAgain = (lost: pg.Client): void => {
    if (isStopped || client !== lost) return;
    client = undefined;
    again = setTimeout(() => {
      connecting = connect();
      // Notifications during the outage are lost: report all accounts as changed.
      void connecting.then((connected) => connected && listener('all'));
    }, RECONNECT_MS);
    again.unref();
  };

  const hear = (payload: string): void => {
    const { by, accounts } = JSON.parse(payload) as Notice;
    if (by !== me) listener(accounts === 'all' ? 'all' : new Set(accounts));
  };

  return {
    async announce(run: Run, changed: ReadonlySet<AccountId>): Promise<void> {
      const listed = JSON.stringify({ by: me, accounts: [...changed] } satisfies Notice);
      const notice =
        listed.length <= MAX_LISTED ? listed : JSON.stringify({ by: me, accounts: 'all' } satisfies Notice);
      await run(sql`select pg_notify(${CHANNEL}, ${notice})`.compile(builders.postgres));
    },
    /** After it resolves, no notification is missed. */
    async listen(to: Listener): Promise<void> {
      listener = to;
      connecting = connect();
      await connecting;
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(again);
      await connecting;
      await client?.end();
    },
  };
}
