import { hash } from 'node:crypto';
import { compileEvents } from '../../compiler/compile.ts';
import { buildTable } from '../../engine/build-table.ts';
import { compiledBy } from '../compiler-defaults.ts';
import { judgeList } from './judge-list.ts';
import { tablePath, textPath, tidyList } from './list-folder.ts';
import type { Checked, CheckJob, ListSurroundings } from './list-jobs.ts';
import type { Seen } from './list-state.ts';
import { type ListReading, listReading } from './read-list.ts';
import { replaceFile } from './replace-file.ts';
import { saveTable } from './table-file.ts';
import type { WantedList } from './wanted-list.ts';
import { whyNotRead } from './why-not-read.ts';

/** Steps of all expressions in one custom list; beyond them rules are left out, and counted as ignored. */
const MAX_ACCOUNT_LIST_STEPS = 20_000;

export const boundsOf = (namedBy: WantedList['namedBy']) =>
  namedBy === 'account' ? { maxExpressionSteps: MAX_ACCOUNT_LIST_STEPS } : {};

const includeLimits = { maxDepth: 5, maxIncludes: 32 };

/**
 * Asks the source of a list what it has now, and makes a table of it where that is new and good. Whatever goes wrong is
 * an outcome, too. The files of the new version are written; whoever asked makes it the one in use.
 */
export async function checkList(job: CheckJob, surroundings: ListSurroundings): Promise<Checked> {
  try {
    await tidyList(surroundings.folder, job.list.id, job.keep);
    // What was known of another source says nothing of this one.
    const isSameSource = job.inUse?.source === job.list.source;
    const known = isSameSource && !job.isAccepted ? job.seen : undefined;
    const reading = listReading({ ...job, known, downloading: surroundings.downloading });
    if (await reading.isUnchanged()) return { kind: 'unchanged', seen: known };
    const text = await compileText(job.list, reading);
    return await judgeText(text, reading.seen(), isSameSource ? job : { ...job, inUse: undefined }, surroundings);
  } catch (error) {
    return { kind: 'failed', ...whyNotRead(error) };
  }
}

/**
 * The list as the compiler reads it, with its includes in place and its conditions decided. No transformation runs: each
 * would leave something out, and what a line means is for the engine to say; unless its owner wants them to.
 */
async function compileText({ id, given }: WantedList, { source, read }: ListReading): Promise<Uint8Array> {
  const settings = { read, includeLimits, compiledBy, timestamp: new Date() };
  const configuration = given?.kind === 'configuration' ? given.configuration : { name: id, sources: [{ source }] };
  for await (const event of compileEvents(configuration, settings)) {
    if (event.kind !== 'finished') continue;
    const { bytes, header } = event.list;
    // Without the header: it has the time in it, and the same list is to have the same text.
    return bytes.subarray(Buffer.byteLength(header.join('\n')) + 1);
  }
  throw new Error('the compilation ended without a list');
}

async function judgeText(
  text: Uint8Array,
  seen: readonly Seen[] | undefined,
  { list, inUse, shrunk, isAccepted, now }: CheckJob,
  { folder, secret, downloading: { maxAccountRules = Infinity } }: ListSurroundings,
): Promise<Checked> {
  const name = hash('sha256', text);
  if (name === inUse?.name) return { kind: 'unchanged', seen };
  const table = buildTable(text, { secret, ...boundsOf(list.namedBy) });
  const { rules, ignored, invalid } = table.report;
  if (list.namedBy === 'account' && rules > maxAccountRules)
    return { kind: 'not used', why: `it has ${rules} rules, and at most ${maxAccountRules} can be used`, shrunk };
  const judged = judgeList({ rules, rulesInUse: inUse?.rules, shrunk, isAccepted, now });
  if (judged.kind === 'keep the old') return { kind: 'not used', why: judged.why, shrunk: judged.shrunk };
  await replaceFile(textPath(folder, list.id, name), text);
  await saveTable(tablePath(folder, list.id, name), table);
  const version = {
    name,
    source: list.source,
    fetchedAt: now,
    rules,
    ignored: Object.values(ignored).reduce((sum, count) => sum + count, 0),
    invalid: invalid.count,
    bytes: table.buffer.byteLength,
    textBytes: text.length,
  };
  return { kind: 'new', version, buffer: table.buffer, seen };
}
