/** The message of an error, with those of its causes that add information. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = error.cause === undefined ? '' : messageOf(error.cause);
  return below === '' || error.message.includes(below) ? error.message : `${error.message}: ${below}`;
}
