export const deviceIdentifiers = [
  `create table device_identifiers (
    value text primary key,
    kind text not null,
    account text not null references accounts (id),
    device text not null,
    foreign key (account, device) references devices (account, id)
  )`,
  'create index device_identifiers_of_account on device_identifiers (account, device)',
  "alter table devices add column tags text not null default '[]'",
];
