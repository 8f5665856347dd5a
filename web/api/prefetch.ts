const WORTH_WAITING_MS = 300;

/** Waits a moment for what was asked while the script of a page is on its way: a page that has all it shows is drawn only once. */
export async function askEarly(asked: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.all(asked), new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS))]);
}
