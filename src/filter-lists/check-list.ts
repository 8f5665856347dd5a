import { hash } from 'node:crypto';
import { compileEvents } from '../compiler/compile.ts';
import type { Configuration } from '../compiler/configuration.ts';
import { type GatherEvent, gatherSources, readGathered } from '../compiler/sources/gather-sources.ts';
import { buildTable } from '../engine/build/build-table.ts';
import { compiledBy } from '../list-sources/compiler-defaults.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import { type DownloadProgress, sumProgress } from './download-progress.ts';
import { saveChanges } from './list-changes.ts';
import { removeOldFiles, tablePath, textPath } from './list-folder.ts';
import type { BuildJob, Checked, CheckJob, ListEnvironment, ListRead, ListTexts } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { Seen } from './list-state.ts';
import { readError } from './read-error.ts';
import { listReading } from './read-list.ts';
import { checkSanity } from './sanity-check.ts';
import { saveTable } from './table-file.ts';

/**
 * Maximum program steps of all regular expressions in one custom list; rules beyond it are omitted and counted as
 * ignored.
 */
const MAX_ACCOUNT_LIST_STEPS = 20_000;

export const boundsOf = (namedBy: WantedList['namedBy']) =>
  namedBy === 'account' ? { maxExpressionSteps: MAX_ACCOUNT_LIST_STEPS } : {};

const includeLimits = { maxDepth: 5, maxIncludes: 32 };

/** First half of a check: downloads the sources, unless they are unchanged. An error is an outcome. */
export async function readListTexts(
  job: CheckJob,
  { folder, downloading }: ListEnvironment,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: (progress: DownloadProgress) => void },
): Promise<ListRead> {
  try {
    await removeOldFiles(folder, job.list.id, job.keep);
    const seenBefore = isSameSource(job) && !job.isAccepted ? job.seen : undefined;
    const { source, read, seen, isUnchanged } = listReading({ ...job, seenBefore, downloading });
    if (await isUnchanged()) return { kind: 'checked', checked: { kind: 'unchanged', seen: seenBefore } };
    const note = sumProgress(emit);
    const onEvent = (event: GatherEvent): void => void (event.kind === 'source progress' && note(event));
    const texts = await gatherSources(configurationOf(job.list, source), { read, signal, includeLimits, onEvent });
    return { kind: 'read', read: { source, texts, seen: seen() } };
  } catch (error) {
    return { kind: 'checked', checked: { kind: 'failed', ...readError(error) } };
  }
}

/**
 * Second half: compiles the downloaded texts and builds a table, if it is new and plausible. An error is an outcome.
 * Writes the files of the new version; the caller activates it.
 */
export async function buildList(job: BuildJob, environment: ListEnvironment): Promise<Checked> {
  try {
    const text = 'compiled' in job.read ? job.read.compiled : await compileText(job.list, job.read);
    if ('compiled' in job.read) await removeOldFiles(environment.folder, job.list.id, job.keep);
    return await buildIfSane(text, job.read.seen, isSameSource(job) ? job : { ...job, inUse: undefined }, environment);
  } catch (error) {
    return { kind: 'failed', ...readError(error) };
  }
}

/** The state does not apply if it is from another source. */
const isSameSource = ({ inUse, list }: Pick<CheckJob, 'inUse' | 'list'>): boolean => inUse?.source === list.source;

const configurationOf = ({ id, given }: WantedList, source: string): Configuration =>
  given?.kind === 'configuration' ? given.configuration : { name: id, sources: [{ source }] };

/**
 * The list as read by the compiler, with includes and conditions resolved. No transformation runs unless the owner's
 * configuration has one: the engine interprets the lines.
 */
async function compileText(list: WantedList, { source, texts }: ListTexts): Promise<Uint8Array> {
  const settings = { read: readGathered(texts), includeLimits, compiledBy, timestamp: new Date() };
  for await (const event of compileEvents(configurationOf(list, source), settings)) {
    if (event.kind !== 'finished') continue;
    const { bytes, header } = event.list;
    // Excludes the header, whose timestamp would make equal lists differ.
    return bytes.subarray(Buffer.byteLength(header.join('\n')) + 1);
  }
  throw new Error('the compilation ended without a list');
}

async function buildIfSane(
  text: Uint8Array,
  seen: readonly Seen[] | undefined,
  { list, inUse, shrunk, isAccepted, now }: Pick<CheckJob, 'list' | 'inUse' | 'shrunk' | 'isAccepted' | 'now'>,
  { folder, secret, downloading: { maxAccountRules = Infinity } }: ListEnvironment,
): Promise<Checked> {
  const name = hash('sha256', text);
  if (name === inUse?.name) return { kind: 'unchanged', seen };
  const table = buildTable(text, { secret, ...boundsOf(list.namedBy) });
  const { rules, ignored, invalid } = table.report;
  if (list.namedBy === 'account' && rules > maxAccountRules)
    return { kind: 'not used', why: `it has ${rules} rules, and at most ${maxAccountRules} can be used`, shrunk };
  const judged = checkSanity({ rules, rulesInUse: inUse?.rules, shrunk, isAccepted, now });
  if (judged.kind === 'keep the old') return { kind: 'not used', why: judged.why, shrunk: judged.shrunk };
  await writeAtomic(textPath(folder, list.id, name), text);
  await saveTable(tablePath(folder, list.id, name), table);
  // Only for display; errors do not prevent the use of the version.
  const changes =
    inUse && (await saveChanges(folder, { id: list.id, before: inUse.name, after: name }, text).catch(() => undefined));
  const version = {
    name,
    source: list.source,
    fetchedAt: now,
    rules,
    ignored: Object.values(ignored).reduce((sum, count) => sum + count, 0),
    invalid: invalid.count,
    bytes: table.buffer.byteLength,
    textBytes: text.length,
    ...(changes && { changes }),
  };
  return { kind: 'new', version, buffer: table.buffer, seen };
}
