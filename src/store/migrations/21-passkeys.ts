/** Passkeys of users, for all their accounts. `credential` and `public_key` are base64url; `transports` is a JSON array. */
export const passkeys = [
  `create table passkeys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    credential text not null unique,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    rp_id text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkeys_of_user on passkeys (user_id, created_at)',
];
