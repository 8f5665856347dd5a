/** The profile and the device are those of the last query and may have been deleted since. */
export const networkClients = [
  `create table network_clients (
    id text primary key,
    account text not null references accounts (id),
    mac text,
    addresses text not null,
    names text not null,
    profile text,
    device text,
    first_seen bigint not null,
    last_seen bigint not null,
    queries bigint not null,
    hours text not null
  )`,
  'create index network_clients_of_account on network_clients (account)',
];
