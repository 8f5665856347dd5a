import { randomBytes } from 'node:crypto';
import { storeSource } from '../dns-server/directory-feed.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import type { Plans } from '../domain/account-limits.ts';
import { registerDevice } from '../operations/create-device.ts';
import { linkProvenAddress } from '../operations/link-device.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

type Parts = {
  readonly store: Store;
  readonly plans: Plans;
  readonly settings: Pick<Settings, 'linkPrivateAddress'>;
};

/** Accounts for the resolver, and the changes that it requests, of a node with a store. */
export function directoryOfStore({ store, plans, settings: { linkPrivateAddress } }: Parts) {
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  return {
    source: storeSource(store, plans),
    change: (request: FromDns): Promise<boolean> =>
      request.kind === 'make device'
        ? registerDevice({ store, plans, now: Date.now, random }, request.account, request.humanId)
        : linkProvenAddress({ store, linkPrivateAddress, now: Date.now, random }, request),
  };
}
