import { crc32 } from 'node:zlib';
import { encodeRawRows, readRawRows } from './raw-rows.ts';
import type { RowTable } from './row.ts';
import { chosenRows, joined } from './row-table.ts';

/**
 * Raw rows of several accounts in one batch, one account after the other: a quiet account has one query in a batch, and
 * a table row and a dictionary per query cost more than the query.
 */
export type SharedRows = {
  readonly accounts: readonly AccountRows[];
  /** Times of the oldest and newest row; both on one UTC day. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly raw: Uint8Array;
};
/** `start`: index of the first row of the account in the batch. */
export type AccountRows = { readonly account: string; readonly start: number; readonly rows: number };

/** Rows of an account are stored separately from this number on. */
export const MAX_ACCOUNT_ROWS = 256;
/** From this size on, further accounts are in another batch: a reader of one account reads the others, too. */
const ENOUGH_ROWS = 128;

/** Batches contain accounts of one bucket only, so that rows of an account are searched in some of the batches. */
const BUCKETS = 4;
export const bucketOf = (account: string): number => crc32(account) % BUCKETS;

type Groupable = { readonly account: string; readonly bucket: number; readonly day: number; readonly rows: number };

/** Groups that become a batch each. */
export function sharingGroups<T extends Groupable>(all: readonly T[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  const open = new Map<number, { readonly accounts: Set<string>; readonly group: T[]; rows: number }>();
  for (const batch of all) {
    // The start of a day is far more than one bucket after that of the day before.
    const key = batch.day + batch.bucket;
    let current = open.get(key);
    if (!current || current.rows >= ENOUGH_ROWS || current.accounts.has(batch.account)) {
      current = { accounts: new Set(), group: [], rows: 0 };
      open.set(key, current);
      groups.push(current.group);
    }
    current.accounts.add(batch.account);
    current.group.push(batch);
    current.rows += batch.rows;
  }
  return groups;
}

/** The rows of accounts whose rows follow each other. */
export function accountRows(all: readonly { readonly account: string; readonly rows: number }[]): AccountRows[] {
  let end = 0;
  return all.map(({ account, rows }) => {
    end += rows;
    return { account, rows, start: end - rows };
  });
}

type AccountTable = { readonly account: string; readonly table: RowTable };

/** Encodes rows of one bucket and day. */
export function shareRows(tables: readonly AccountTable[]): SharedRows {
  const { times, ...columns } = joined(tables.map(({ table }) => table));
  const start = times[0]!;
  const offsets = Int32Array.from(times, (time) => time - start);
  return {
    accounts: accountRows(tables.map(({ account, table }) => ({ account, rows: table.length }))),
    first: times.reduce((one, other) => Math.min(one, other)),
    last: times.reduce((one, other) => Math.max(one, other)),
    rows: columns.length,
    raw: encodeRawRows({ ...columns, start, offsets }),
  };
}

/** The rows of each account of a batch. */
export function accountTables({ raw, accounts }: Pick<SharedRows, 'raw' | 'accounts'>): readonly AccountTable[] {
  const table = readRawRows(raw, 0);
  return accounts.map(({ account, ...rows }) => ({ account, table: rowsAt(table, rows) }));
}

export const rowsAt = (table: RowTable, { start, rows }: Omit<AccountRows, 'account'>): RowTable =>
  chosenRows(
    table,
    Uint32Array.from({ length: rows }, (_, row) => start + row),
  );

/** The batch without the rows of an account; undefined if it has no others. */
export function withoutAccount(batch: SharedRows, account: string): SharedRows | undefined {
  const others = accountTables(batch).filter((part) => part.account !== account);
  return others.length === 0 ? undefined : shareRows(others);
}
