/** Batches of query records that DNS nodes have sent and that are stored. */
export const receivedBatches = [
  'create table received_batches (id text primary key, stored_at bigint not null)',
  'create index received_batches_by_age on received_batches (stored_at)',
];
