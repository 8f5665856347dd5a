/** Secrets that all nodes on the database share. `period`: see ticket-keys.ts; 0 for secrets that do not change. */
export const sharedSecrets = [
  'create table shared_secrets (name text primary key, value text not null, period bigint not null)',
];
