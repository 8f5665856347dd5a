import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { parsePosition, positionText } from '../cluster/protocol.ts';
import { type LastKnown, storeSource } from '../dns-server/directory-feed.ts';
import type { DirectorySnapshot } from '../dns-server/directory-snapshot.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import type { Plans } from '../domain/account-limits.ts';
import type { InTransaction } from '../domain/repositories.ts';
import { DAY_MS } from '../kit/durations.ts';
import { registerDevice } from '../operations/create-device.ts';
import { linkProvenAddress } from '../operations/link-device.ts';
import { version } from '../platform/version.ts';
import type { Settings } from '../settings/settings.ts';
import { migrations } from '../store/migrations/migrations.ts';
import type { Store } from '../store/store.ts';

/** Longer than the time after which a node resends a batch or a request, except from its spool of records. */
export const KEEP_RECEIVED_MS = 7 * DAY_MS;

type Parts = {
  readonly store: Store;
  readonly plans: Plans;
  readonly settings: Pick<Settings, 'linkPrivateAddress'>;
};

/** Provides accounts for the resolver, and executes changes that it requests, on a node with a store. */
export function directoryOfStore({ store, plans, settings: { linkPrivateAddress } }: Parts) {
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const form = formOf(plans);
  const change = (on: Pick<Store, 'inTransaction'>, request: FromDns): Promise<boolean> =>
    request.kind === 'make device'
      ? registerDevice({ store: on, plans, now: Date.now, random }, request.account, request.humanId)
      : linkProvenAddress({ store: on, linkPrivateAddress, now: Date.now, random }, request);
  return {
    source: storeSource(store, plans),
    form,
    appliedPosition: (): string | undefined => {
      const change = store.appliedChange();
      return change && positionText(change, form);
    },
    /** The accounts of the snapshot, if the store knows the changes since. */
    continued: ({ blocks, position = '' }: DirectorySnapshot): LastKnown | undefined => {
      const change = parsePosition(position, form);
      if (!change || change.revision === 0) return undefined;
      const changes = async () => {
        const since = await store.changedSince(change);
        return since === 'all' ? since : since.accounts;
      };
      return { blocks, changes };
    },
    change: (request: FromDns): Promise<boolean> => change(store, request),
    /** The id is stored in the transaction of the change, so that it is applied once. */
    changeOnce: async (request: FromDns, id: string): Promise<boolean> => {
      if (await store.read.receivedBatches.has(id)) return false;
      const repeated = new Error('applied before');
      const inTransaction: InTransaction = (work, options) =>
        store.inTransaction(async (tx) => {
          const result = await work(tx);
          // Checked after the work, which has locked the account, because another node may have applied the request meanwhile.
          if (await tx.receivedBatches.has(id)) throw repeated;
          const at = Date.now();
          await tx.receivedBatches.add(id, { at, since: at - KEEP_RECEIVED_MS });
          return result;
        }, options);
      try {
        return await change({ inTransaction }, request);
      } catch (error) {
        if (error === repeated) return false;
        throw error;
      }
    },
  };
}

/**
 * Directory entries depend on the program, the schema and the table of plans. A program built from sources may change without a new
 * version, so its modification time is included.
 */
const formOf = (plans: Plans): string =>
  createHash('sha256')
    .update(JSON.stringify([version, statSync(import.meta.filename).mtimeMs, migrations.length, plans]))
    .digest('hex')
    .slice(0, 16);
