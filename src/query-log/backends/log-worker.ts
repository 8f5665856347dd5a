import { parentPort, workerData } from 'node:worker_threads';
import { openLogEngine } from '../query-log.ts';
import { answerCall, failureOf, type LogCall, type LogReply } from './log-calls.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

const port = parentPort!;
const post = (reply: LogReply): void => port.postMessage(reply);
const environment = {
  now: Date.now,
  onProblem: (problem: unknown) => post({ kind: 'problem', failure: failureOf(problem) }),
};
const opening = openLogEngine(openSqliteBackend(workerData as string, environment), environment);
let isOver = false;
opening.catch(() => {
  // Callers receive the error. The thread then ends, and the next call starts a new one.
  isOver = true;
});

port.on('message', (call: LogCall) => {
  opening
    .then((log) => answerCall(log, call))
    .then(
      (value) => post({ kind: 'done', id: call.id, value }),
      (error: unknown) => post({ kind: 'failed', id: call.id, failure: failureOf(error) }),
    )
    .finally(() => {
      if (isOver || call.name === 'close') port.close();
    });
});
