import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { servePoolJobs } from '../platform/worker-pool.ts';
import { buildRuleTable, type RuleTable } from '../resolver/policy/table-from-rules.ts';
import type { RuleTableJob } from './account-tables.ts';

const secret = workerData as Uint8Array;

// On Linux this applies to the thread: answering queries has priority.
setPriority(5);

servePoolJobs<RuleTableJob, never, RuleTable>(parentPort!, ({ rules }) => {
  const { buffer, lines } = buildRuleTable(rules, secret);
  // A copy of the used part: the buffer of the lines is larger.
  return { outcome: { buffer, lines: lines.slice() } };
});
