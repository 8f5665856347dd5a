import { createHash, randomBytes } from 'node:crypto';
import type { DomainError } from '../domain/domain-error.ts';
import { createNode, revokeNode } from '../operations/nodes.ts';
import { transact } from '../operations/transact.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore } from '../store/store.ts';
import { storeOptions } from './store-options.ts';

export type Nodes = Awaited<ReturnType<typeof openNodes>>;

/** Opens the store for commands about nodes, whether the service runs or not. */
export async function openNodes(settings: Pick<Settings, 'data' | 'database'>, now: () => number) {
  const store = await openStore({ ...storeOptions(settings), besideServer: true });
  const deps = {
    now,
    random: (bytes: number): Uint8Array => randomBytes(bytes),
    sha256: (text: string): Uint8Array => createHash('sha256').update(text).digest(),
  };
  return {
    async create(name: string) {
      const created = await transact(store, (tx) => createNode(tx, deps, name));
      if (!created.ok) throw new Error(messageOf(created.error));
      const { node, secret } = created.value;
      return { id: node.id, name: node.name, key: secret };
    },
    list: async () =>
      (await store.read.nodes.list()).map(({ id, name, hint, createdAt, status }) => ({
        id,
        name,
        hint,
        createdAt: new Date(createdAt).toISOString(),
        ...(status && { ...status, at: new Date(status.at).toISOString() }),
      })),
    async revoke(name: string) {
      const revoked = await store.inTransaction((tx) => revokeNode(tx, (node) => node.name === name));
      if (!revoked) throw new Error(`there is no node "${name}"`);
      return { id: revoked.node.id, name };
    },
    close: (): Promise<void> => store.close(),
  };
}

const messageOf = (error: DomainError): string =>
  error.kind === 'invalid' ? error.errors.map(({ field, message }) => `${field} ${message}`).join() : error.kind;
