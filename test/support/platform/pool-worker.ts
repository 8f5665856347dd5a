import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type JobContext, servePoolJobs } from '../../../src/platform/worker-pool.ts';

// Does what the tests of the pool ask for, well or badly.
type Job = { readonly do: string; readonly with: string; readonly ms: number; readonly words: readonly string[] };

function spin(): never {
  for (;;);
}

const deeds: Readonly<Record<string, (job: Job, context: JobContext<string>) => Promise<string> | string>> = {
  answer: (job) => job.with,
  sleep: async ({ ms }) => {
    await setTimeout(ms);
    return 'slept';
  },
  spin,
  'allow and spin': ({ ms }, { limitStep }) => {
    limitStep(ms);
    spin();
  },
  throw: () => {
    throw new Error('on purpose');
  },
  exit: () => process.exit(3),
  eat: () => {
    const all: object[] = [];
    for (;;) all.push(Array.from({ length: 1000 }, (_, at) => ({ at })));
  },
  say: ({ words }, { send }) => {
    for (const message of words) send(message);
    return 'said';
  },
};

servePoolJobs<Job, string, string>(parentPort!, async (job, context) => ({
  outcome: await deeds[job.do]!(job, context),
}));
