import { parentPort, workerData } from 'node:worker_threads';
import { createRpc } from '../../platform/worker-rpc.ts';
import { openSqliteBackend } from '../backends/sqlite-backend.ts';
import { openSegmentEngine } from '../segment-engine.ts';
import { answerCall, closeAfterReply, type LogCall, problemMessage } from './log-calls.ts';

const port = parentPort!;
const environment = {
  now: Date.now,
  onProblem: (problem: unknown) => port.postMessage(problemMessage(problem)),
};
const opening = openSegmentEngine(openSqliteBackend(workerData as string, environment), environment);
// Ignored, because callers receive the error.
opening.catch(() => undefined);

createRpc<never, LogCall>(port, async (call) => {
  try {
    return await answerCall(await opening, call);
  } finally {
    // A thread that cannot open the log also ends; the next call starts a new one.
    if (call.name === 'close' || (await hasFailed(opening))) closeAfterReply(port);
  }
});

const hasFailed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );
