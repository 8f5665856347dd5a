export const localNames = [
  `create table local_records (
    id text primary key,
    account text not null references accounts (id),
    profile text,
    name text not null,
    type text not null,
    value text not null,
    ttl bigint,
    foreign key (account, profile) references profiles (account, id)
  )`,
  'create index local_records_of_account on local_records (account, name, id)',
  `create table forward_rules (
    id text primary key,
    account text not null references accounts (id),
    profile text,
    domain text not null,
    upstreams text not null,
    foreign key (account, profile) references profiles (account, id)
  )`,
  'create index forward_rules_of_account on forward_rules (account, domain, id)',
];
