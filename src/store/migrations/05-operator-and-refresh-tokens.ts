export const operatorAndRefreshTokens = [
  // The user recorded for each value of the setting `operator`. No foreign key: a deleted operator has no successor.
  'create table operators (setting text primary key, user_id text not null, recorded_at bigint not null)',
  `insert into operators (setting, user_id, recorded_at)
    select 'first', u.id, a.created_at from users u join accounts a on a.id = u.account
    where u.role = 'owner' and a.id = (select id from accounts order by created_at, id limit 1)
    order by u.created_at, u.id limit 1`,
  // 1 where a member chose the address (invitation, e-mail change), 0 where the set-up or the command line did.
  'alter table users add column email_claimed smallint not null default 0',
  `update users set email_claimed = 1
    where id in (select subject from audit where action in ('member.create', 'member.email'))`,
  'alter table token_families add column rotates smallint not null default 0',
  // Refresh tokens that were replaced. `seed` and the old token give the new one, for a client that lost the response.
  `create table replaced_refresh_tokens (
    hash text primary key,
    family text not null references token_families (id) on delete cascade,
    account text not null references accounts (id),
    next_hash text not null,
    seed text not null,
    replaced_at bigint not null
  )`,
  'create index replaced_refresh_tokens_of_family on replaced_refresh_tokens (family, replaced_at)',
  'create index replaced_refresh_tokens_of_account on replaced_refresh_tokens (account)',
  'create index token_families_by_use on token_families (last_used_at)',
];
