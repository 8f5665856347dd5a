export type InTurn = <T>(key: string, job: () => Promise<T>) => Promise<T>;

/** Jobs of one key run one after the other, in the order they came; those of different keys know nothing of each other. */
export function inTurn(): InTurn {
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

// Only for whoever comes next: the failure is told to the one who brought the job.
const ignore = (): void => {};
