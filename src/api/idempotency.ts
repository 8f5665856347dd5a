import type { FastifyRequest } from 'fastify';
import { invalid } from '../domain/domain-error.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import {
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_STORED_REPLY_LENGTH,
  STORED_REPLY_MS,
  type StoredReply,
} from '../domain/stored-reply.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { Mutation } from './operation.ts';

/** A request to execute once: hashes of its key and of its content. */
export type IdempotentRequest = { readonly id: string; readonly account: Caller['account']; readonly request: string };

const keys = new RegExp(`^[\\x20-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_LENGTH}}$`);

/** Keys are per caller; other members of the account may use the same one. */
export function readIdempotencyKey(
  deps: Pick<Deps, 'sha256'>,
  request: FastifyRequest,
  { account, user }: Pick<Caller, 'account' | 'user'>,
  body: unknown,
): Result<IdempotentRequest | undefined, ApiError> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return ok(undefined);
  if (typeof key !== 'string' || !keys.test(key))
    return err(invalid('Idempotency-Key', `must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} ASCII characters`));
  return ok({
    id: hashOf(deps, JSON.stringify([account, user, key])),
    account,
    request: hashOf(deps, JSON.stringify([request.url, body])),
  });
}

/** The JSON text of the stored reply; undefined if the request has not been executed yet. */
export async function findReply(
  store: Pick<StoreReader, 'storedReplies'>,
  { id, account, request }: IdempotentRequest,
  now: number,
): Promise<Result<string | undefined, ApiError>> {
  const stored = await store.storedReplies.find(account, id, now - STORED_REPLY_MS);
  if (!stored) return ok(undefined);
  if (stored.request !== request) return err({ kind: 'key of another request' });
  return stored.reply.kind === 'json' ? ok(stored.reply.text) : err({ kind: 'executed before' });
}

/** Called in the transaction of the change, so that both are committed or neither is. */
export async function storeReply(
  store: Pick<Transaction, 'storedReplies'>,
  idempotent: IdempotentRequest,
  reply: StoredReply['reply'],
  now: number,
): Promise<void> {
  await store.storedReplies.put({ ...idempotent, reply, createdAt: now });
}

/** Replies of operations that manage access contain keys, tokens and codes, which must not be stored. */
export function storableReply({ requires }: Pick<Mutation, 'requires'>, reply: unknown): StoredReply['reply'] {
  if (requires !== 'writer') return { kind: 'withheld' };
  const text = reply === undefined ? '' : JSON.stringify(reply);
  return text.length <= MAX_STORED_REPLY_LENGTH ? { kind: 'json', text } : { kind: 'withheld' };
}
