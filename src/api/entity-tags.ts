import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';

const list = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/;

/** The ETag of a state. The same state always has the same one, on every node. */
export const tagOf = (deps: Pick<Deps, 'sha256'>, state: unknown): string => `"${hashOf(deps, JSON.stringify(state))}"`;

/**
 * Evaluates If-Match (RFC 9110 section 13.1.1) against the ETag of the current state; undefined for a resource without ETag.
 * Weak tags never match.
 */
export function checkIfMatch(header: string | undefined, current: string | undefined): Result<void, ApiError> {
  if (header === undefined || header.trim() === '*') return ok(undefined);
  if (!list.test(header)) return err(invalid('If-Match', 'must be * or a list of entity tags in double quotes'));
  const tags = header.split(',').map((tag) => tag.trim());
  if (current !== undefined && tags.includes(current)) return ok(undefined);
  return err({ kind: 'precondition failed', current });
}
