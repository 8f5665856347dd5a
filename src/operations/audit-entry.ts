import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Clock, Random } from './deps.ts';
import { newId } from './new-secrets.ts';

/** The description of a change, written in the transaction that makes it. */
export type AuditNote = {
  readonly action: string;
  readonly subject?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** `from` is the client address; undefined for changes that no client has requested. */
export type Author = { readonly account: AccountId; readonly by: string; readonly from: string | undefined };

export const auditEntry = (deps: Clock & Random, author: Author, note: AuditNote): AuditEntry => ({
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
