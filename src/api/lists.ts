import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { ListPage } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import { int32 } from './wire/named.ts';

/** Parameters of all paginated lists. */
export const pageParameters = {
  cursor: Type.Optional(Type.String({ description: 'The `page_cursor` of a previous response.', maxLength: 100 })),
  limit: Type.Optional(int32({ minimum: 1, maximum: 1000, default: 10 })),
  search: Type.Optional(Type.String({ description: 'Substring of the name or id.', maxLength: 255 })),
};

type Update = {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly search?: string | undefined;
};

/** Only items created until `asOf` are listed, so that pages do not shift while they are read. */
type ListCursor = { readonly asOf: number; readonly page: number; readonly limit: number };

const MAX_ROWS = 1_000_000;

/** One page, newest first. `rows` returns the first `count` rows; with `keep`, all rows are read and filtered. */
export async function listPage<Row>(
  input: Update,
  now: number,
  rows: (page: ListPage) => Promise<readonly Row[]>,
  keep?: (row: Row) => boolean,
): Promise<Result<{ readonly items: readonly Row[]; readonly navigation: Navigation }, ApiError>> {
  const cursor =
    input.cursor === undefined ? { asOf: now, page: 1, limit: input.limit ?? 10 } : parseListCursor(input.cursor);
  if (!cursor) return err(invalid('cursor', 'is not a valid cursor'));
  const { asOf, page, limit } = cursor;
  const end = page * limit;
  const found = await rows({
    after: { createdAt: asOf + 1, id: '' },
    search: input.search,
    limit: keep ? MAX_ROWS : Math.min(end + 1, MAX_ROWS),
  });
  const filtered = keep ? found.filter(keep) : found;
  return ok({
    items: filtered.slice(end - limit, end),
    navigation: {
      ...(filtered.length > end && { next: linkTo({ ...cursor, page: page + 1 }) }),
      ...(page > 1 && { prev: linkTo({ ...cursor, page: page - 1 }) }),
    },
  });
}

type Link = { readonly page_cursor: string; readonly page_number: number };
type Navigation = { readonly next?: Link; readonly prev?: Link };

const linkTo = ({ asOf, page, limit }: ListCursor): Link => ({
  page_cursor: `${asOf}:${page}:${limit}`,
  page_number: page,
});

function parseListCursor(cursor: string): ListCursor | undefined {
  const [, asOf = '', page = '', limit = ''] = /^(\d{1,15}):([1-9]\d{0,6}):([1-9]\d{0,3})$/.exec(cursor) ?? [];
  if (asOf === '' || Number(limit) > 1000) return undefined;
  return { asOf: Number(asOf), page: Number(page), limit: Number(limit) };
}
