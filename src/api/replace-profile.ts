import { changed, isUnchanged } from '../domain/audit.ts';
import type { Profile } from '../domain/profile.ts';
import type { Transaction } from '../domain/repositories.ts';
import { ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import type { Changed } from './operation.ts';

/** Stores a changed profile, with its audit note. An unchanged one is not written, so that the resolver does not reload it. */
export async function replaceProfile<Reply>(
  store: Pick<Transaction, 'profiles'>,
  { before, after, action }: { readonly before: Profile; readonly after: Profile; readonly action: string },
  reply: Reply,
): Promise<Result<Changed<Reply>, ApiError>> {
  const change = changed(before, after);
  if (!isUnchanged(change)) await store.profiles.update(after);
  return ok({ reply, audit: { action, subject: after.id, ...change } });
}
