import { format } from 'node:util';

/** The message of an error, with those of its causes that add information. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let text = error.message;
  for (let cause = error.cause; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    const below = cause instanceof Error ? cause.message : format(cause);
    if (!text.includes(below)) text = `${text}: ${below}`;
  }
  return text;
}
