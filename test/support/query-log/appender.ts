// Appends batches to the log in the given folder and prints a line after each commit, until it is killed.
import { writeSync } from 'node:fs';
import { openLog } from '../../../src/query-log/index.ts';
import { aRecord, NOW } from './logs.ts';

const log = await openLog(
  { folder: process.argv[2]! },
  {
    now: Date.now,
    onProblem: (problem) => {
      throw problem;
    },
  },
);
for (let batch = 0; ; batch += 1) {
  await log.append(
    Array.from({ length: 500 }, (_, row) => aRecord({ time: NOW - row * 60_000, domain: `name-${row}.example` })),
  );
  writeSync(1, `${batch}\n`);
}
