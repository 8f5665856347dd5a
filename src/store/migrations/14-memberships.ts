/** Accounts that a user belongs to besides the one in `users`. */
export const memberships = [
  `create table memberships (
    id text primary key,
    account text not null references accounts (id),
    user_id text not null references users (id) on delete cascade,
    role text not null,
    created_at bigint not null,
    unique (account, user_id)
  )`,
  'create index memberships_of_user on memberships (user_id, created_at)',
];
