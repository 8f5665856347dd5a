import { parentPort } from 'node:worker_threads';
import { buildTable } from '../src/engine/build/build-table.ts';
import { textFile } from '../src/filter-lists/text-file.ts';

/** Compiles the table of a list on request, like the thread that refreshes lists. */
parentPort!.on('message', (message: { file: string; secret: Uint8Array } | 'collect') => {
  if (message !== 'collect') parentPort!.postMessage(buildTable(textFile(message.file), message).buffer);
  else parentPort!.postMessage(globalThis.gc!());
});
