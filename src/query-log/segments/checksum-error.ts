/** What is stored is not what was written. A database does not notice if only the content changed. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';

  constructor(cause?: unknown) {
    super('a part of the query log is damaged and is passed over', cause === undefined ? undefined : { cause });
  }
}

/** Text that must be JSON, because we wrote it. */
export function parseStoredJson<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ChecksumError(error);
  }
}

/** Passes over what is damaged, so that the rest can still be read, and tells of it. */
export async function skipCorrupt<T>(
  onProblem: (problem: unknown) => void,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChecksumError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/** The same of what is done at once. */
export function skipCorruptSync<T>(onProblem: (problem: unknown) => void, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ChecksumError)) throw error;
    onProblem(error);
    return undefined;
  }
}
