import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Result } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import { newId } from './new-secrets.ts';
import type { AuditNote } from './operation.ts';

type Author = { readonly account: AccountId; readonly by: string; readonly from: string };

export const auditEntry = (deps: Pick<Deps, 'now' | 'random'>, author: Author, note: AuditNote): AuditEntry => ({
  id: newId(deps),
  account: author.account,
  at: deps.now(),
  by: author.by,
  from: author.from,
  action: note.action,
  subject: note.subject,
  before: note.before,
  after: note.after,
});

const MAX_DRAWS = 3;

/** Ids are drawn by chance: the rare one that exists is drawn again. */
export async function redrawing<T>(attempt: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
  for (let draws = 1; ; draws++) {
    const result = await attempt();
    const isDrawnAgain = !result.ok && result.error.kind === 'taken' && result.error.what === 'id';
    if (!isDrawnAgain || draws === MAX_DRAWS) return result;
  }
}
