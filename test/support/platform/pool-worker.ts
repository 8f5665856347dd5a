import { setTimeout } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

// Does what the tests of the pool ask for, well or badly.
const port = parentPort!;
const done = (outcome: string): void => port.postMessage({ kind: 'done', outcome, cpuMs: 1, isSpent: false });

function spin(): never {
  for (;;);
}

const deeds: Readonly<Record<string, (job: { with: string; ms: number; words: string[] }) => unknown>> = {
  answer: (job) => done(job.with),
  sleep: async ({ ms }) => {
    await setTimeout(ms);
    done('slept');
  },
  spin,
  'allow and spin': ({ ms }) => {
    port.postMessage({ kind: 'allowance', ms });
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
  say: ({ words }) => {
    for (const message of words) port.postMessage({ kind: 'said', message });
    done('said');
  },
};

port.on('message', ({ kind, job }) => {
  if (kind === 'job') void deeds[job.do]?.(job);
});
