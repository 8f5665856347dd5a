export const clientNetworks = [
  `create table client_networks (
    network text primary key,
    account text not null references accounts (id),
    profile text not null references profiles (id)
  )`,
  'create index client_networks_of_account on client_networks (account, network)',
];
