import { LRUCache } from 'lru-cache';
import { ok, type Result } from '../kit/result.ts';
import type { CheckedOrder } from './check-job.ts';
import type { Refusal } from './compile-job.ts';

const MAX_BODY_BYTES = 64 * 1024;
// A text of two bytes a character, and what was made of it.
const COST = 8;

/** Requests that come again, byte for byte, are read and checked once. */
export function knownOrders(maxBytes: number) {
  const known = new LRUCache<string, CheckedOrder>({ maxSize: maxBytes });
  return (
    type: string | undefined,
    body: unknown,
    check: () => Result<CheckedOrder, Refusal>,
  ): Result<CheckedOrder, Refusal> => {
    if (!Buffer.isBuffer(body) || body.length > MAX_BODY_BYTES) return check();
    // What it is said to be is part of what was checked.
    const text = `${type}\n${body.toString('latin1')}`;
    const found = known.get(text);
    if (found) return ok(found);
    const checked = check();
    if (checked.ok) known.set(text, checked.value, { size: text.length * COST });
    return checked;
  };
}
