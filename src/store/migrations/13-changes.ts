/** An account that is null stands for all accounts. */
export const changes = [
  `create table changes (
    revision bigint primary key,
    account text,
    at bigint not null
  )`,
];
