/** Stored bytes do not match their checksum. SQLite itself does not detect changed content. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';

  constructor(cause?: unknown) {
    super('the query log contains corrupt data, which is skipped', cause === undefined ? undefined : { cause });
  }
}

/** Parses JSON that this program wrote. */
export function parseStoredJson<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ChecksumError(error);
  }
}

/** Skips corrupt data, so the rest stays readable, and reports it. */
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

/** Synchronous version of `skipCorrupt`. */
export function skipCorruptSync<T>(onProblem: (problem: unknown) => void, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ChecksumError)) throw error;
    onProblem(error);
    return undefined;
  }
}
