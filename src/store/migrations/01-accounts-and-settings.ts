/** Version 1. Uses only types and clauses that both databases support. */
export const accountsAndSettings: readonly string[] = [
  `create table accounts (
    id text primary key,
    created_at bigint not null,
    plan text not null,
    limit_overrides text not null,
    time_zone text not null,
    log_retention_days integer not null,
    log_enabled smallint not null,
    is_suspended smallint not null
  )`,
  `create table users (
    id text primary key,
    account text not null references accounts (id),
    email text not null unique,
    role text not null,
    password_hash text not null,
    totp_secret text,
    totp_last_step bigint,
    recovery_code_hashes text not null,
    created_at bigint not null
  )`,
  'create index users_of_account on users (account)',
  `create table api_keys (
    id text primary key,
    account text not null references accounts (id),
    user_id text not null references users (id) on delete cascade,
    name text not null,
    hash text not null unique,
    hint text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index api_keys_of_account on api_keys (account)',
  'create index api_keys_of_user on api_keys (user_id)',
  `create table token_families (
    id text primary key,
    account text not null references accounts (id),
    user_id text not null references users (id) on delete cascade,
    refresh_hash text not null unique,
    created_at bigint not null,
    last_used_at bigint not null
  )`,
  'create index token_families_of_account on token_families (account)',
  'create index token_families_of_user on token_families (user_id)',
  `create table access_tokens (
    hash text primary key,
    family text not null references token_families (id) on delete cascade,
    account text not null references accounts (id),
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null
  )`,
  'create index access_tokens_of_family on access_tokens (family)',
  'create index access_tokens_of_account on access_tokens (account)',
  'create index access_tokens_of_user on access_tokens (user_id)',
  'create index access_tokens_by_end on access_tokens (expires_at)',
  `create table invitations (
    id text primary key,
    account text not null references accounts (id),
    email text not null,
    role text not null,
    hash text not null unique,
    invited_by text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index invitations_of_account on invitations (account)',
  `create table tickets (
    hash text primary key,
    kind text not null,
    content text not null,
    expires_at bigint not null
  )`,
  'create index tickets_by_end on tickets (expires_at)',
  'create table brakes (id text primary key, failures integer not null, last_failure_at bigint not null)',
  'create index brakes_by_age on brakes (last_failure_at)',
  // All ids of profiles and devices ever used: a reused id would let a forgotten device into another account.
  'create table short_ids (id text primary key)',
  `create table profiles (
    id text primary key,
    account text not null references accounts (id),
    name text not null,
    name_folded text not null,
    is_default smallint not null,
    settings text not null,
    user_rules integer not null,
    access_rules integer not null,
    created_at bigint not null,
    unique (account, id)
  )`,
  'create index profiles_by_age on profiles (account, created_at, id)',
  'create unique index profiles_default on profiles (account) where is_default = 1',
  `create table devices (
    id text primary key,
    account text not null references accounts (id),
    profile text not null,
    name text not null,
    name_folded text not null,
    type text not null,
    protection_enabled smallint not null,
    doh_auth_only smallint not null,
    doh_password text not null,
    human_id text,
    linked_ip text unique,
    link_token text not null unique,
    created_at bigint not null,
    unique (account, id),
    foreign key (account, profile) references profiles (account, id)
  )`,
  'create index devices_by_age on devices (account, created_at, id)',
  'create index devices_of_profile on devices (account, profile, created_at, id)',
  'create index devices_by_human_id on devices (account, profile, lower(human_id))',
  `create table dedicated_addresses (
    ip text primary key,
    account text not null references accounts (id),
    device text,
    allocated_at bigint not null,
    foreign key (account, device) references devices (account, id)
  )`,
  'create index dedicated_addresses_of_device on dedicated_addresses (account, device)',
  // No foreign key: entries outlive their account.
  `create table audit (
    id text primary key,
    account text not null,
    at bigint not null,
    actor text not null,
    origin text,
    action text not null,
    subject text,
    before text,
    after text
  )`,
  'create index audit_by_age on audit (account, at, id)',
];
