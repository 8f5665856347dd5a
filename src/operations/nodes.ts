import { type ClusterNode, MAX_NODES } from '../domain/cluster-node.ts';
import { type DomainError, invalid } from '../domain/domain-error.ts';
import { nameRequirements, parseName } from '../domain/name.ts';
import type { Transaction } from '../domain/repositories.ts';
import { hintOf } from '../domain/secret-text.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import type { Clock, Random, Sha256 } from './deps.ts';
import { issue, newId } from './new-secrets.ts';

type Created = { readonly node: ClusterNode; readonly secret: string; readonly audit: AuditNote };

/** In a transaction. The key is not stored and cannot be shown again. */
export async function createNode(
  tx: Pick<Transaction, 'nodes'>,
  deps: Clock & Random & Sha256,
  nameText: string,
): Promise<Result<Created, DomainError>> {
  const name = parseName(nameText);
  if (!name) return err(invalid('name', `must be ${nameRequirements}`));
  if ((await tx.nodes.list()).length >= MAX_NODES)
    return err(invalid('name', `there can be at most ${MAX_NODES} nodes`, 'limit reached'));
  const { secret, hash } = issue(deps, 'node key');
  const node = { id: newId(deps), name, hash, hint: hintOf('node key', secret), createdAt: deps.now() };
  const added = await tx.nodes.add(node);
  if (!added.ok) return err(invalid('name', 'is the name of another node'));
  const audit = { action: 'node.create', subject: node.id, after: { name, hint: node.hint } };
  return ok({ node: { ...node, status: undefined }, secret, audit });
}

/** In a transaction: revokes the key from the next request on. Undefined if the node does not exist. */
export async function revokeNode(
  tx: Pick<Transaction, 'nodes'>,
  isMeant: (node: ClusterNode) => boolean,
): Promise<{ readonly node: ClusterNode; readonly audit: AuditNote } | undefined> {
  const node = (await tx.nodes.list()).find(isMeant);
  if (!node) return undefined;
  await tx.nodes.remove(node.id);
  return { node, audit: { action: 'node.revoke', subject: node.id, before: { name: node.name, hint: node.hint } } };
}
