import { type RawBuilder, sql } from 'kysely';
import type { AccountId, DeviceId } from '../domain/ids.ts';
import { type DatabaseKind, prepared } from './database.ts';

export type AccountRange = { readonly first: string; readonly last: string };

const quoted: Readonly<Record<DatabaseKind, (column: string) => RawBuilder<string>>> = {
  sqlite: (column) => sql`json_quote(${sql.ref(column)})`,
  postgres: (column) => sql`to_json(${sql.ref(column)})::text`,
};

/**
 * `DirectoryDevice`s as JSON, oldest first. The database writes the text, because rows as objects cost most of the CPU time of a start with
 * a million devices.
 */
const devicesJson = (quote: (column: string) => RawBuilder<string>): RawBuilder<string> => {
  const truth = (column: string): RawBuilder<string> =>
    sql`case ${sql.ref(column)} when 1 then 'true' else 'false' end`;
  // NULL if the column is, which `concat` leaves out.
  const member = (name: string, column: string): RawBuilder<string> =>
    sql`case when ${sql.ref(column)} is not null then ${sql.lit(`,"${name}":`)} || ${quote(column)} end`;
  return sql`concat('[', string_agg(concat('{"id":', ${quote('id')}, ',"profile":', ${quote('profile')}, ',"name":', ${quote('name')},
    ',"type":', ${quote('type')}, case when tags <> '[]' then ',"tags":' || tags end,
    ',"protectionEnabled":', ${truth('protection_enabled')}, ',"pausedUntil":' || paused_until,
    ',"dohAuthOnly":', ${truth('doh_auth_only')}, ',"dohPassword":', ${quote('doh_password')},
    ${member('humanId', 'human_id')}, ${member('linkedIp', 'linked_ip')}, ${member('pendingIp', 'pending_ip')},
    case when pending_ip is not null then ',"linkToken":' || ${quote('link_token')} end,
    ${member('addressSuffix', 'address_suffix')}, '}'), ',' order by created_at, id), ']')`;
};

const ofRange = (kind: DatabaseKind) =>
  prepared<AccountRange>()((db, $) =>
    db
      .selectFrom('devices')
      .select([
        sql<AccountId>`account`.as('account'),
        devicesJson(quoted[kind]).as('json'),
        sql<string>`string_agg(id, ' ')`.as('ids'),
        sql<string>`coalesce(string_agg(address_suffix, ' '), '')`.as('suffixes'),
        sql<number>`min(case when human_id is null and linked_ip is null and pending_ip is null then 1 else 0 end)`.as(
          'identified_by_ids',
        ),
      ])
      .where('account', '>=', $.first)
      .where('account', '<=', $.last)
      .groupBy('account'),
  );

export const deviceTexts = { sqlite: ofRange('sqlite'), postgres: ofRange('postgres') };

export const wordsOf = (text: string): readonly DeviceId[] => (text === '' ? [] : (text.split(' ') as DeviceId[]));
