import { parentPort } from 'node:worker_threads';
import { buildTable } from '../src/engine/build/build-table.ts';
import { textFile } from '../src/filter-lists/text-file.ts';

/** Compiles the table of a list on request, like the thread that refreshes lists. */
parentPort!.on('message', (asked: { file: string; secret: Uint8Array } | 'collect') => {
  if (asked !== 'collect') parentPort!.postMessage(buildTable(textFile(asked.file), asked).buffer);
  else parentPort!.postMessage(globalThis.gc!());
});
