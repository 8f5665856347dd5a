import type { Compilable } from 'kysely';
import type { AccountId } from '../domain/ids.ts';
import { type Builder, builders, type DatabaseKind, type Prepared, type Run } from './database.ts';

/**
 * Runs the queries of this folder, inside or outside of a transaction. Queries name the account of their rows, so that
 * a transaction can lock it and report it as changed.
 */
export type Session = {
  readonly db: Builder;
  readonly first: <P extends Named, R>(query: Prepared<P, R>, values: P) => Promise<R | undefined>;
  readonly all: <P extends Named, R>(query: Prepared<P, R>, values: P) => Promise<readonly R[]>;
  readonly ask: <R>(account: AccountId | 'unscoped', query: Compilable<R>) => Promise<readonly R[]>;
  /** In a transaction: holds a lock on this name until the end. */
  readonly lock: (name: string) => Promise<void>;
  /** Returns the number of changed rows. */
  readonly change: (account: AccountId | 'unscoped', query: Compilable<unknown>) => Promise<number>;
  /** The same for a statement whose SQL is built once. */
  readonly changeBy: <P extends Named>(account: AccountId, query: Prepared<P, unknown>, values: P) => Promise<number>;
};

type Named = Readonly<Record<string, unknown>> & { readonly account?: string };

export type TransactionHooks = {
  /** Called before the first access to an account. */
  lockAccount(account: AccountId): Promise<void> | void;
  lock(name: string): Promise<void> | void;
  changed(account: AccountId): unknown;
};

export function session(kind: DatabaseKind, run: Run, watch: TransactionHooks): Session {
  const db = builders[kind];
  const all = async <P extends Named, R>(query: Prepared<P, R>, values: P): Promise<readonly R[]> => {
    const entering = values.account === undefined ? undefined : watch.lockAccount(values.account as AccountId);
    // Outside of transactions nothing is locked: these are the reads of every request.
    if (entering) await entering;
    return (await run(query(kind, values))).rows;
  };
  return {
    db,
    all,
    async first(query, values) {
      return (await all(query, values))[0];
    },
    async ask<R>(account: AccountId | 'unscoped', query: Compilable<R>) {
      if (account !== 'unscoped') await watch.lockAccount(account);
      return (await run<R>(query.compile())).rows;
    },
    async lock(name) {
      await watch.lock(name);
    },
    async change(account, query) {
      if (account !== 'unscoped') {
        await watch.lockAccount(account);
        watch.changed(account);
      }
      return (await run(query.compile())).changes;
    },
    async changeBy(account, query, values) {
      await watch.lockAccount(account);
      watch.changed(account);
      return (await run(query(kind, values))).changes;
    },
  };
}

export const readingSession = (kind: DatabaseKind, run: Run): Session =>
  session(kind, run, {
    lockAccount() {},
    lock() {},
    changed() {
      throw new Error('changes require a transaction');
    },
  });
