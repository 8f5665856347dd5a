import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type ControllerDeps, registerController } from '../cluster/register-controller.ts';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import type { AccountId } from '../domain/ids.ts';
import { secretKind } from '../domain/secret-text.ts';
import type { Lists } from '../filter-lists/open-lists.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { ok } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import { version } from '../platform/version.ts';
import { addressBy } from './client-of-request.ts';
import { directoryOfStore, KEEP_RECEIVED_MS } from './directory-of-store.ts';
import { tableSoon } from './lists-for-edges.ts';
import type { FullNodeParts } from './open-node.ts';
import { safetySources } from './safety-sources.ts';
import { readSharedSecrets } from './shared-secrets.ts';

type Parts = Pick<FullNodeParts, 'settings' | 'catalogue' | 'store' | 'records'> & {
  readonly lists: () => Promise<Lists | undefined>;
};

/** Serves the endpoints for DNS nodes without a database. */
export async function serveEdges(server: FastifyInstance, parts: Parts): Promise<void> {
  const { settings, catalogue, store, lists } = parts;
  const { cookies } = await readSecrets(settings.data);
  const setup = {
    version,
    catalogue: (await readDataFile(settings.catalogue, (content) => ok(content))) ?? null,
    safety: safetySources(settings, catalogue.catalogue),
    hasLists: true,
  };
  const secrets = async () => {
    const { cookieSecret, ticketSecret } = await readSharedSecrets(store, cookies, Date.now());
    return {
      cookieSecret: toBase64(cookieSecret),
      ticketSecret: { period: ticketSecret.period, value: toBase64(ticketSecret.value) },
    };
  };
  const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  const nodeOf: ControllerDeps['nodeOf'] = async (key) =>
    secretKind(key) === 'node key' ? store.read.nodes.byHash(hashOf({ sha256 }, key)) : undefined;
  const directory = directoryOfStore({ store, plans: catalogue.plans, settings });
  registerController(server, {
    source: directory.source,
    form: directory.form,
    change: async (request, id) => (id === undefined ? directory.change(request) : directory.changeOnce(request, id)),
    nodeOf,
    nodeWithId: async (id) => (await store.read.nodes.list()).find((node) => node.id === id),
    newestChange: store.newestChange,
    changedSince: store.changedSince,
    setup: async () => {
      // Opened early, because the edge will request its lists soon.
      void lists();
      return { ...setup, ...(await secrets()) };
    },
    listText: async (id) => {
      const opened = await lists();
      const table = opened && (await tableSoon(opened, id));
      return table && { version: table.version, path: table.lines.text };
    },
    appendRecords: recordWriter(parts),
    report: (node, status) => store.inTransaction(({ nodes }) => nodes.report(node, status)),
    addressOf: addressBy(settings),
    now: Date.now,
  });
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/**
 * Stores each batch once. The log stores its id with the rows, so a crash before the batch is recorded here is harmless. ClickHouse stores
 * only a limited number of ids, so the record is needed, too. Rows of accounts that were deleted or have disabled the log are dropped.
 */
function recordWriter({ store, records }: Pick<Parts, 'store' | 'records'>): ControllerDeps['appendRecords'] {
  const turn = keyedMutex();
  const isLogged = async (account: string): Promise<boolean> =>
    (await store.read.accounts.find(account as AccountId))?.logEnabled === true;
  return (batch, sent) =>
    turn(batch, async () => {
      if (await store.read.receivedBatches.has(batch)) return;
      const logged = new Set<string>();
      for (const account of new Set(sent.map((record) => record.account)))
        if (await isLogged(account)) logged.add(account);
      await records.log.appendOnce(
        batch,
        sent.filter(({ account }) => logged.has(account)),
      );
      const at = Date.now();
      await store.inTransaction((tx) => tx.receivedBatches.add(batch, { at, since: at - KEEP_RECEIVED_MS }));
    });
}
