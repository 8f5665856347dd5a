import type { Transaction, TransactionOptions } from '../domain/repositories.ts';
import type { Result } from '../kit/result.ts';
import type { Transactions } from './deps.ts';

/** Commits a success. A returned error rolls back everything that the work has written. */
export async function transact<T, E>(
  store: Transactions['store'],
  work: (tx: Transaction) => Promise<Result<T, E>>,
  options?: TransactionOptions,
): Promise<Result<T, E>> {
  const rollback = new Error('rolled back');
  let result: Result<T, E> | undefined;
  try {
    return await store.inTransaction(async (tx) => {
      result = await work(tx);
      if (!result.ok) throw rollback;

      return result;
    }, options);
  } catch (error) {
    if (error === rollback && result) return result;
    throw error;
  }
}
