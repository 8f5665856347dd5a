export const ddnsNames = [
  'alter table devices add column ddns_name text',
  'create index devices_by_ddns_name on devices (id) where ddns_name is not null',
];
