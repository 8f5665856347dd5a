import Type, { type Static } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { PageLink } from '../domain/log-query.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import { int32 } from './wire/named.ts';
import type { Navigation } from './wire/pages.ts';

const MAX_ROWS = 1000;

/** Parameters of statistics with pages. */
export const statsPageParameters = {
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `page_cursor` of a previous response.' })),
  limit: Type.Optional(int32({ minimum: 1, maximum: MAX_ROWS, description: 'Rows per page.' })),
};

export type StatsPage = { readonly page: number; readonly limit: number };
type Given = { readonly cursor?: string | undefined; readonly limit?: number | undefined };

/** A cursor contains the number of rows per page. */
export function statsPageFromWire({ cursor, limit }: Given, defaultLimit = MAX_ROWS): Result<StatsPage, ApiError> {
  if (cursor === undefined) return ok({ page: 1, limit: limit ?? defaultLimit });
  const [, page = '', rows = ''] = /^\d{1,16}:([1-9]\d{0,6}):([1-9]\d{0,3}):\d{1,16}$/.exec(cursor) ?? [];
  if (page === '' || Number(rows) > MAX_ROWS) return err(invalid('cursor', 'is not a valid cursor'));
  return ok({ page: Number(page), limit: Number(rows) });
}

type Paged<Row> = { readonly rows: readonly Row[]; readonly navigation: Static<typeof Navigation> };

/** One page of rows that are already sorted. `to` is the end of the range. */
export function pageOfRows<Row>(rows: readonly Row[], { page, limit }: StatsPage, to: number): Paged<Row> {
  const end = page * limit;
  const link = (number: number) => ({ page_cursor: `${to}:${number}:${limit}:${rows.length}`, page_number: number });
  return {
    rows: rows.slice(end - limit, end),
    navigation: {
      ...(rows.length > end && { next: link(page + 1) }),
      ...(page > 1 && { prev: link(page - 1) }),
    },
  };
}

export function navigationOf(pages: readonly PageLink[], page: number): Static<typeof Navigation> {
  const link = (wanted: number) => {
    const found = pages.find(({ number }) => number === wanted);
    return found && { page_cursor: found.cursor, page_number: found.number };
  };
  const [next, prev] = [link(page + 1), link(page - 1)];
  return { ...(next && { next }), ...(prev && { prev }) };
}
