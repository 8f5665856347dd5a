import { type SelectQueryBuilder, sql } from 'kysely';
import { containing } from './rows.ts';
import type { Tables } from './tables.ts';

/** The last thing of the page before; the next page begins behind it, whatever was added or removed meanwhile. */
type ListCursor = { readonly createdAt: number; readonly id: string };

export type ListPage = {
  readonly after?: ListCursor | undefined;
  /** Part of the name or the id, in any case. */
  readonly search?: string | undefined;
  readonly limit: number;
};

export const newestFirst =
  ({ after, search, limit }: ListPage) =>
  <T extends 'devices' | 'profiles', O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O> => {
    let narrowed = query;
    if (after) narrowed = narrowed.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id})`);
    if (search) {
      const pattern = containing(search);
      narrowed = narrowed.where(
        sql<boolean>`(name_folded like ${pattern} escape '\\' or id like ${pattern} escape '\\')`,
      );
    }
    return narrowed.orderBy(sql`created_at`, 'desc').orderBy(sql`id`, 'desc').limit(limit);
  };
