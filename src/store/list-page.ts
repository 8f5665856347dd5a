import { type SelectQueryBuilder, sql } from 'kysely';
import type { ListPage } from '../domain/repositories.ts';
import { containing } from './rows.ts';
import type { Tables } from './tables.ts';

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
