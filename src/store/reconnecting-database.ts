import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../domain/store-error.ts';
import type { Database, Run } from './database.ts';

const AGAIN_MS = 2000;
const CLOSE_MS = 1000;

type Opening = {
  readonly kind: Database['kind'];
  readonly because: StoreError;
  /** Rejects while the database cannot be used. */
  readonly open: () => Promise<Database>;
  readonly onOpened: () => void;
  readonly againMs?: number;
};

/** Placeholder for a database that cannot be used yet: rejects every call and retries until it can forward calls. */
export function reconnectingDatabase({ kind, because, open, onOpened, againMs = AGAIN_MS }: Opening): Database {
  let opened: Database | undefined;
  let why = because;
  let onForeign = (): void => {};
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const there = (): Database => {
    if (!opened) throw new StoreError(why.kind, why.message, why);
    return opened;
  };
  const read: Run = async (statement) => there().read(statement);

  const use = async (database: Database): Promise<void> => {
    if (isClosed) return database.close();
    await database.onForeignCommit(() => onForeign());
    opened = database;
    onOpened();
    onForeign();
  };
  const again = (): void => {
    timer = setTimeout(() => {
      trying = open()
        .then(use)
        .catch((error: unknown) => {
          if (error instanceof StoreError) why = error;
          if (!isClosed) again();
        });
    }, againMs);
  };
  let trying: Promise<void> = Promise.resolve();
  again();

  return {
    kind,
    read,
    transaction: async (work) => there().transaction(work),
    lockAccount: (run, account) => there().lockAccount(run, account),
    lockName: (run, name) => there().lockName(run, name),
    announce: (run) => there().announce(run),
    onForeignCommit(listener) {
      onForeign = listener;
    },
    isInPlace: () => opened?.isInPlace() ?? true,
    isLeader: async (work) => (await opened?.isLeader(work)) ?? false,
    snapshot: async () => there().snapshot(),
    version: () => opened?.version(),
    connections: () => opened?.connections(),
    erase: async () => there().erase(),
    limitWaits: () => opened?.limitWaits(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // An attempt that succeeds later closes what it has opened.
      await Promise.race([trying, sleep(CLOSE_MS, undefined, { ref: false })]);
      await opened?.close();
    },
  };
}
