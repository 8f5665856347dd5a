import { ApiError, problemOf } from './api-error.ts';

const MAX_ATTEMPTS = 5;

type Read<T> = () => Promise<{ readonly reply: T; readonly etag: string | undefined }>;

/** Changes the current state of a resource. If others change it at the same time, it is read and changed again. */
export async function changeLatest<T, Changed, Saved>(
  read: Read<T>,
  change: (current: T) => Changed,
  save: (changed: Changed, ifMatch: string | undefined) => Promise<Saved>,
): Promise<Saved> {
  for (let attempt = 1; ; attempt++) {
    const { reply, etag } = await read();
    const changed = change(reply);
    try {
      return await save(changed, etag);
    } catch (error) {
      if (problemOf(error).kind !== 'changed' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The current values with the members that were edited since `base`. Throws if others have changed one of these members to
 * another value.
 */
export function mergeChanges<T extends object>(base: T, edited: T, current: T): T {
  const names = new Set([...Object.keys(base), ...Object.keys(edited)]) as Set<keyof T>;
  const merged = { ...current };
  for (const name of names) {
    if (isSame(base[name], edited[name])) continue;
    if (![base[name], edited[name]].some((value) => isSame(value, current[name])))
      throw new ApiError({ kind: 'changed' });
    if (name in edited) merged[name] = edited[name];
    else delete merged[name];
  }
  return merged;
}
