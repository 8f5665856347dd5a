import type { MessagePort } from 'node:worker_threads';
import type { NamedList } from '../filter-lists/rule-texts.ts';
import type { IngestMessage } from '../query-log/index.ts';
import type { ClientId } from '../resolver/identity/client-updates.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';

type Message = IngestMessage<NamedList>;
type OfKind<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>;

/** Sends the meaning of the ids in query records to the ingest thread, and sends all of them again to its replacement. */
export function createClientIdRegistry(first: MessagePort, now: () => number) {
  let port = first;
  const clients: OfKind<'client'>[] = [];
  const unlogged = new Set<string>();
  let lists: OfKind<'lists'> | undefined;
  const send = (message: Message): void => port.postMessage(message);
  const sendLogging = (account: string, isLogged: boolean): void =>
    send({ kind: 'logging', account, isLogged, time: now() });

  return {
    addClient: (client: ClientId): void => {
      const message: OfKind<'client'> = { kind: 'client', ...client };
      clients.push(message);
      send(message);
    },
    setLists(message: OfKind<'lists'>): void {
      lists = message;
      send(message);
    },
    /** To be called when all threads use the new settings: buffered records of accounts without a log are then dropped. */
    setAccounts(accounts: readonly Pick<DirectoryAccount, 'id' | 'logEnabled'>[]): void {
      for (const { id, logEnabled } of accounts) {
        if (logEnabled ? !unlogged.delete(id) : unlogged.has(id)) continue;
        if (!logEnabled) unlogged.add(id);
        sendLogging(id, logEnabled);
      }
    },
    resendAll(next: MessagePort): void {
      port.close();
      port = next;
      for (const client of clients) send(client);
      if (lists) send(lists);
      for (const account of unlogged) sendLogging(account, false);
      send({ kind: 'complete' });
    },
  };
}
