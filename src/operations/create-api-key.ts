import type { User } from '../domain/account.ts';
import type { ApiKey } from '../domain/credentials.ts';
import type { KeyId } from '../domain/ids.ts';
import type { Transaction } from '../domain/repositories.ts';
import { hintOf } from '../domain/secret-text.ts';
import type { Conflict } from '../domain/store-error.ts';
import { ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import type { Clock, Random, Sha256 } from './deps.ts';
import { issue, newId } from './new-secrets.ts';

type Created = { readonly key: ApiKey; readonly secret: string; readonly audit: AuditNote };

/** In a transaction. The secret is not stored and cannot be shown again. */
export async function createApiKey(
  tx: Transaction,
  deps: Clock & Random & Sha256,
  { account, id: user }: Pick<User, 'account' | 'id'>,
  name: string,
): Promise<Result<Created, Conflict>> {
  const { secret, hash } = issue(deps, 'api key');
  const key: ApiKey = {
    id: newId(deps) as KeyId,
    account,
    user,
    name,
    hash,
    hint: hintOf('api key', secret),
    createdAt: deps.now(),
    lastUsedAt: undefined,
  };
  const added = await tx.keys.add(key);
  if (!added.ok) return added;
  return ok({ key, secret, audit: { action: 'api_key.create', subject: key.id, after: { name, hint: key.hint } } });
}
