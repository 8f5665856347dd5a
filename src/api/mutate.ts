import { isUnchanged } from '../domain/audit.ts';
import type { Transaction } from '../domain/repositories.ts';
import { ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { retryOnIdCollision } from '../operations/retry-on-id-collision.ts';
import { transact } from '../operations/transact.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { checkIfMatch, tagOf } from './entity-tags.ts';
import type { ApiError } from './errors.ts';
import { findReply, type IdempotentRequest, storableReply, storeReply } from './idempotency.ts';
import { isRaw, type Mutation, type OperationInput } from './operation.ts';

type Conditions = { readonly ifMatch: string | undefined; readonly idempotent: IdempotentRequest | undefined };

/** The reply, and headers to send with it. */
export type Outcome = { readonly reply: unknown; readonly headers: Readonly<Record<string, string>> };

/** Success means that the resolver has applied the change. A change that is stored but not applied is an error. */
export async function mutate(
  mutation: Mutation,
  input: OperationInput<never, never, never> & { readonly caller: Caller },
  deps: Deps,
  { ifMatch, idempotent }: Conditions,
): Promise<Result<Outcome, ApiError>> {
  const { prepare, run, stateOf, commitsErrors } = mutation;
  // Runs before the preparation, which is unnecessary for an executed request and may fail the second time.
  const earlier = idempotent && (await findReply(deps.store.read, idempotent, deps.now()));
  if (earlier && (!earlier.ok || earlier.value !== undefined)) return replayed(earlier);
  const prepared = await prepare?.(deps, input);
  if (prepared?.ok === false) return prepared;
  const state = async (store: Transaction): Promise<string | undefined> => {
    const current = await stateOf?.(store, input);
    return current === undefined ? undefined : tagOf(deps, current);
  };
  const work = async (store: Transaction): Promise<Result<Outcome, ApiError>> => {
    // Checked again while the account is locked: of parallel requests with the same key, the first is executed and the others get its
    // reply.
    const meanwhile = idempotent && (await findReply(store, idempotent, deps.now()));
    if (meanwhile && (!meanwhile.ok || meanwhile.value !== undefined)) return replayed(meanwhile);
    const current = ifMatch === undefined ? undefined : await state(store);
    // The operation reports resources that do not exist.
    const isMatch = stateOf && current === undefined ? ok(undefined) : checkIfMatch(ifMatch, current);
    if (!isMatch.ok) return isMatch;
    const changed = await run(store, input, deps, prepared?.value as never);
    if (!changed.ok) return changed;
    const { reply, audit } = changed.value;
    if (!isUnchanged(audit)) await store.audit.add(auditEntry(deps, { ...input.caller, from: input.from }, audit));
    if (idempotent)
      await storeReply(
        store,
        idempotent,
        isRaw(reply) ? { kind: 'withheld' } : storableReply(mutation, reply),
        deps.now(),
      );
    const etag = await state(store);
    return ok({ reply, headers: etag === undefined ? {} : { etag } });
  };
  const options = { mustApply: true };
  return retryOnIdCollision(() =>
    commitsErrors ? deps.store.inTransaction(work, options) : transact(deps.store, work, options),
  );
}

function replayed(stored: Result<string | undefined, ApiError>): Result<Outcome, ApiError> {
  if (!stored.ok) return stored;
  const reply = stored.value ? { headers: { 'content-type': 'application/json' }, content: stored.value } : undefined;
  return ok({ reply, headers: { 'idempotent-replayed': 'true' } });
}
