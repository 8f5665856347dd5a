/** Replies to requests with an idempotency key. `body` is null if it was not stored. */
export const storedReplies = [
  `create table stored_replies (
    id text primary key,
    account text not null references accounts (id),
    request text not null,
    body text,
    created_at bigint not null
  )`,
  'create index stored_replies_of_account on stored_replies (account, created_at, id)',
  'create index stored_replies_by_age on stored_replies (created_at)',
];
