import { parentPort } from 'node:worker_threads';
import { buildTable } from '../src/engine/build/build-table.ts';
import { textFile } from '../src/filter-lists/text-file.ts';

/** Makes the table of a list whenever it is asked to, as the thread does that keeps lists up to date. */
parentPort!.on('message', (asked: { file: string; secret: Uint8Array } | 'collect') => {
  if (asked !== 'collect') parentPort!.postMessage(buildTable(textFile(asked.file), asked).buffer);
  else parentPort!.postMessage(globalThis.gc!());
});
