import { parentPort, workerData } from 'node:worker_threads';
import { openLogEngine } from '../query-log.ts';
import { answerCall, failureOf, type LogCall, type LogReply } from './log-calls.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

const port = parentPort!;
const tell = (reply: LogReply): void => port.postMessage(reply);
const environment = {
  now: Date.now,
  onProblem: (problem: unknown) => tell({ kind: 'problem', failure: failureOf(problem) }),
};
const opening = openLogEngine(openSqliteBackend(workerData as string, environment), environment);
let isOver = false;
opening.catch(() => {
  // Whoever calls hears why. A thread without a log is of no use: the next call starts another.
  isOver = true;
});

port.on('message', (call: LogCall) => {
  opening
    .then((log) => answerCall(log, call))
    .then(
      (value) => tell({ kind: 'done', id: call.id, value }),
      (error: unknown) => tell({ kind: 'failed', id: call.id, failure: failureOf(error) }),
    )
    .finally(() => {
      if (isOver || call.name === 'close') port.close();
    });
});
