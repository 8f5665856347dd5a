/** Runs a job for each item, at most `limit` at a time, and waits for all. Throws the first failure. */
export async function forEachLimit<T>(
  limit: number,
  items: Iterable<T>,
  job: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await job(next.value);
  };
  await Promise.all(Array.from({ length: limit }, work));
}
