/** Batches of query records that DNS nodes have sent and that are stored. */
export const logBatches = [
  'create table log_batches (id text primary key, stored_at bigint not null)',
  'create index log_batches_by_age on log_batches (stored_at)',
];
