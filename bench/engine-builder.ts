import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { buildTable } from '../src/engine/build-table.ts';

/** Makes the table of a list whenever it is asked to, as the thread does that keeps lists up to date. */
parentPort!.on('message', ({ file, secret }: { file: string; secret: Uint8Array }) => {
  parentPort!.postMessage(buildTable(new Uint8Array(readFileSync(file)), { secret }).buffer);
});
