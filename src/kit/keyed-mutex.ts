export type KeyedMutex = <T>(key: string, job: () => Promise<T>) => Promise<T>;

/** Runs jobs of one key sequentially in order of arrival; different keys are independent. */
export function keyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  return (key, job) => {
    const result = (last.get(key) ?? Promise.resolve()).then(job);
    const over = result.then(ignore, ignore).then(() => {
      if (last.get(key) === over) last.delete(key);
    });
    last.set(key, over);
    return result;
  };
}

// The next job ignores the failure, which its own caller receives.
const ignore = (): void => {};
