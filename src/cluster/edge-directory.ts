import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { blockOf } from '../dns-server/account-blocks.ts';
import type { DirectorySource } from '../dns-server/directory-feed.ts';
import type { FeedAccount } from '../dns-server/feed-account.ts';

const ACCOUNTS_AT_ONCE = 200;
const FAST = { level: 1 } as const;

export type EdgeDirectory = ReturnType<typeof edgeDirectory>;

/** All accounts of the controller. Compressed, because the answering threads already have them uncompressed. */
export function edgeDirectory() {
  let accounts = new Map<string, Buffer>();
  const pack = (account: FeedAccount): Buffer => deflateRawSync(JSON.stringify(account), FAST);
  const unpack = (packed: Buffer): FeedAccount => JSON.parse(inflateRawSync(packed).toString()) as FeedAccount;

  return {
    /** A new set of accounts, used once it is complete. */
    replacement() {
      const next = new Map<string, Buffer>();
      return {
        add: (account: FeedAccount): void => void next.set(account.id, pack(account)),
        use: (): void => {
          accounts = next;
        },
      };
    },
    set: (account: FeedAccount): void => void accounts.set(account.id, pack(account)),
    remove: (id: string): void => void accounts.delete(id),
    async *allAccounts(): ReturnType<DirectorySource['allAccounts']> {
      let batch: FeedAccount[] = [];
      for (const packed of accounts.values()) {
        batch.push(unpack(packed));
        if (batch.length < ACCOUNTS_AT_ONCE) continue;
        yield blockOf(batch);
        batch = [];
      }
      if (batch.length > 0) yield blockOf(batch);
    },
    account: async (id: string): Promise<FeedAccount | undefined> => {
      const packed = accounts.get(id);
      return packed && unpack(packed);
    },
  };
}
