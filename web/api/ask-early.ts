import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query';

const WORTH_WAITING_MS = 300;

/** Begins to ask while the script of a page is on its way, and waits a moment: a page that has all it shows is drawn only once. */
export async function askEarly(
  queryClient: QueryClient,
  // biome-ignore lint/suspicious/noExplicitAny: what each of them answers is nothing to this.
  queries: readonly FetchQueryOptions<any, any, any, any>[],
): Promise<void> {
  const answered = Promise.all(queries.map((query) => queryClient.prefetchQuery(query)));
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS))]);
}
