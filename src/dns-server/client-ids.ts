import type { MessagePort } from 'node:worker_threads';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';
import type { Naming } from './thread-messages.ts';

type OfKind<Kind extends Naming['kind']> = Extract<Naming, { kind: Kind }>;

/** What the thread that keeps records is told, and what the next one must be told if that one is lost. */
export function createNamings(first: MessagePort, now: () => number) {
  let port = first;
  const whos: OfKind<'who'>[] = [];
  const unlogged = new Set<string>();
  let lists: OfKind<'lists'> | undefined;
  const tell = (naming: Naming): void => port.postMessage(naming);
  const logging = (account: string, isKept: boolean): void => tell({ kind: 'logging', account, isKept, time: now() });

  return {
    who(naming: OfKind<'who'>): void {
      whos.push(naming);
      tell(naming);
    },
    lists(naming: OfKind<'lists'>): void {
      lists = naming;
      tell(naming);
    },
    /** To be said when everybody who answers obeys: what was noted before is not to be kept where there is no log any more. */
    accounts(accounts: readonly Pick<DirectoryAccount, 'id' | 'logEnabled'>[]): void {
      for (const { id, logEnabled } of accounts) {
        if (logEnabled ? !unlogged.delete(id) : unlogged.has(id)) continue;
        if (!logEnabled) unlogged.add(id);
        logging(id, logEnabled);
      }
    },
    /** To another thread, which knows nothing yet. */
    tellAnew(next: MessagePort): void {
      port.close();
      port = next;
      for (const who of whos) tell(who);
      if (lists) tell(lists);
      for (const account of unlogged) logging(account, false);
      tell({ kind: 'all told' });
    },
  };
}
