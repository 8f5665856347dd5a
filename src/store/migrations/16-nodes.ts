/** DNS nodes without a database, by their keys. The last columns are null until the first report of the node. */
export const nodes = [
  `create table nodes (
    id text primary key,
    name text not null unique,
    hash text not null unique,
    hint text not null,
    created_at bigint not null,
    reported_at bigint,
    version text,
    revision bigint,
    lag_ms bigint,
    address text
  )`,
];
