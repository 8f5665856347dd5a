import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SHOWN = 25;

/** Test reporter: the files that took longest, with their processes. */
export default async function* slowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const times: { readonly file: string; readonly seconds: number }[] = [];
  for await (const { type, data } of events)
    if (type === 'test:summary' && data.file !== undefined)
      times.push({ file: relative('', data.file), seconds: data.duration_ms / 1000 });
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
  const sum = times.reduce((total, { seconds }) => total + seconds, 0);
  yield `\n${times.length} files, ${sum.toFixed(0)} s; slowest:\n`;
  for (const { file, seconds } of slowest) yield `${seconds.toFixed(1).padStart(7)} s  ${file}\n`;
}
