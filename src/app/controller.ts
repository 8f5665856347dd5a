import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type ControllerDeps, registerController } from '../cluster/register-controller.ts';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import { secretKind } from '../domain/secret-text.ts';
import { ok } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import { version } from '../platform/version.ts';
import { addressBy } from './client-of-request.ts';
import { directoryOfStore } from './directory-of-store.ts';
import type { FullNodeParts } from './open-node.ts';
import { safetySources } from './safety-sources.ts';

type Parts = Pick<FullNodeParts, 'settings' | 'catalogue' | 'dns' | 'store'>;

/** Serves the endpoints for DNS nodes without a database. */
export async function serveEdges(server: FastifyInstance, { settings, catalogue, store, dns }: Parts): Promise<void> {
  const { cookies } = await readSecrets(settings.data);
  const setup = {
    version,
    catalogue: (await readDataFile(settings.catalogue, (content) => ok(content))) ?? null,
    safety: safetySources(settings, catalogue.catalogue),
    cookieSecret: Buffer.from(cookies).toString('base64'),
    hasLists: dns !== undefined,
  };
  const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  const nodeOf: ControllerDeps['nodeOf'] = async (key) =>
    secretKind(key) === 'node key' ? store.read.nodes.byHash(hashOf({ sha256 }, key)) : undefined;
  registerController(server, {
    ...directoryOfStore({ store, plans: catalogue.plans, settings }),
    nodeOf,
    nodeWithId: async (id) => (await store.read.nodes.list()).find((node) => node.id === id),
    newestChange: store.newestChange,
    changedSince: store.changedSince,
    setup,
    listText: (id) => {
      const table = dns?.lists.tableOf(id);
      return table && { version: table.version, path: table.lines.text };
    },
    report: (node, status) => store.inTransaction(({ nodes }) => nodes.report(node, status)),
    addressOf: addressBy(settings),
    now: Date.now,
  });
}
