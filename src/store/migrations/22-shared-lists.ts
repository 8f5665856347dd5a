/**
 * Texts of filter lists that one node has downloaded for all nodes on the database. `version`: SHA-256 of the text; `text`: compressed;
 * `seen`: validators of the sources; `checks` rises with every check of the sources.
 */
export const sharedLists = [
  `create table shared_lists (
    id text primary key,
    account text references accounts (id) on delete cascade,
    source text not null,
    version text not null,
    text bytea not null,
    seen text,
    checks bigint not null
  )`,
  'create index shared_lists_by_version on shared_lists (version)',
];
