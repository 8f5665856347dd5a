import type { ClusterNode, NodeStatus } from '../domain/cluster-node.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { conflictUnless } from './rows.ts';
import type { NodeRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

export const nodeReads = (session: Session) => ({
  async byHash(hash: string): Promise<ClusterNode | undefined> {
    const [row] = await session.ask('unscoped', session.db.selectFrom('nodes').selectAll().where('hash', '=', hash));
    return row && toNode(row);
  },

  async list(): Promise<readonly ClusterNode[]> {
    return (await session.ask('unscoped', session.db.selectFrom('nodes').selectAll().orderBy('name'))).map(toNode);
  },
});

export const nodeWrites = (session: Session) => ({
  async add(node: Omit<ClusterNode, 'status'>): Promise<Result<void, Conflict>> {
    const { id, name, hash, hint, createdAt } = node;
    const insert = session.db
      .insertInto('nodes')
      .values({ id, name, hash, hint, created_at: createdAt })
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change('unscoped', insert), 'name');
  },

  async report(id: string, { at, version, revision, lagMs, address }: NodeStatus): Promise<void> {
    const columns = { reported_at: at, version, revision, lag_ms: lagMs, address };
    await session.change('unscoped', session.db.updateTable('nodes').set(columns).where('id', '=', id));
  },

  async remove(id: string): Promise<boolean> {
    return (await session.change('unscoped', session.db.deleteFrom('nodes').where('id', '=', id))) > 0;
  },
});

const toNode = ({ id, name, hash, hint, created_at, ...row }: NodeRow): ClusterNode => ({
  id,
  name,
  hash,
  hint,
  createdAt: created_at,
  status:
    row.reported_at === null
      ? undefined
      : {
          at: row.reported_at,
          version: row.version ?? '',
          revision: row.revision ?? 0,
          lagMs: row.lag_ms ?? 0,
          address: row.address ?? '',
        },
});
