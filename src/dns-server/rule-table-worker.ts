import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker } from '../platform/worker-pool.ts';
import { buildRuleTable, type RuleTable } from '../resolver/policy/table-from-rules.ts';
import type { RuleTableJob } from './account-tables.ts';

const secret = workerData as Uint8Array;
const port = parentPort!;

// On Linux this applies to the thread: answering queries has priority.
setPriority(5);

port.on('message', (message: ToWorker<RuleTableJob>) => {
  if (message.kind !== 'job') return;
  const before = process.threadCpuUsage();
  const { buffer, lines } = buildRuleTable(message.job.rules, secret);
  const { user, system } = process.threadCpuUsage(before);
  // A copy of the used part: the buffer of the lines is larger.
  const outcome = { buffer, lines: lines.slice() };
  port.postMessage({
    kind: 'done',
    outcome,
    cpuMs: (user + system) / 1000,
    isSpent: false,
  } satisfies FromWorker<never, RuleTable>);
});
