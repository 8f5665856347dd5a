const MAX_WAIT_MS = 300;

/** Waits a short time for data requested while the page's script loads, so that most pages render only once. */
export async function awaitPrefetch(requests: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.all(requests), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
}
