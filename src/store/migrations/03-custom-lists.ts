export const customLists = [
  `create table custom_lists (
    id text primary key,
    account text not null references accounts (id),
    name text not null,
    source text not null,
    created_at bigint not null
  )`,
  'create index custom_lists_of_account on custom_lists (account, created_at, id)',
];
