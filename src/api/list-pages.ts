import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import type { Raw } from './operation.ts';
import { int32 } from './wire/named.ts';

const MAX_ITEMS = 1000;

/** Parameters of lists below /api/v1; without them the response is the whole list. */
export const listParameters = {
  limit: Type.Optional(int32({ minimum: 1, maximum: MAX_ITEMS, description: 'Items per page. Default: all items.' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`Next-Cursor` of the previous response.' })),
};

const NEXT_CURSOR = 'next-cursor';

/** For `replyHeaders` of an operation. */
export const listHeaders = { 'Next-Cursor': 'Send it as `cursor` to get the next page. Absent on the last page.' };

export type ListInput = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** The header of a page that ends before `next`. */
export const nextCursor = (next: string | undefined): Record<string, string> =>
  next === undefined ? {} : { [NEXT_CURSOR]: next };

/**
 * A page of a list; `content` returns the other members of the response. The cursor has the position and id of the last item. The next page
 * starts after this item, or at its position if it was removed in the meantime.
 */
export function pageOfList<Item>(
  items: readonly Item[],
  { limit = items.length, cursor }: ListInput,
  idOf: (item: Item) => string,
  content: (page: readonly Item[]) => object = (page) => page,
): Result<Raw, ApiError> {
  const start = cursor === undefined ? 0 : startAfter(items.map(idOf), cursor);
  if (start === undefined) return err(invalid('cursor', 'is not a valid cursor'));
  const end = Math.min(start + limit, items.length);
  const last = items[end - 1];
  const next = end < items.length && last !== undefined ? `${end - 1}:${idOf(last)}` : undefined;
  return ok({
    headers: { 'content-type': 'application/json', ...nextCursor(next) },
    content: JSON.stringify(content(items.slice(start, end))),
  });
}

function startAfter(ids: readonly string[], cursor: string): number | undefined {
  const [, position = '', id = ''] = /^(\d{1,9}):(.+)$/.exec(cursor) ?? [];
  if (position === '') return undefined;
  const index = ids.indexOf(id);
  return index === -1 ? Math.min(Number(position), ids.length) : index + 1;
}
