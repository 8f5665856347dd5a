import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { BuildReport } from '../../engine/build/build-report.ts';
import { buildTable } from '../../engine/build/build-table.ts';
import { type ExplainedRule, explain } from '../../engine/explain/explain.ts';
import { type ListTable, openTable, type ReadLine } from '../../engine/list-table.ts';
import { composeProfile } from '../../engine/match/profile.ts';
import type { SourceName } from '../../engine/sources.ts';
import { typeNumber } from '../../kit/dns-numbers.ts';
import { parseIp } from '../../kit/ip-address.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { readHostName } from '../../rules/read-host-name.ts';
import { type AnswerExplanation, type AnswerPart, explainParts, readAnswerPart } from './explain-answer.ts';
import { type ExplainedVerdict, toExplainedVerdict } from './explained-verdict.ts';

export type FilesQuery = {
  readonly name: string;
  readonly type: string;
  readonly lists: readonly string[];
  /** Hosts files whose addresses are used as answers. */
  readonly answering: readonly string[];
  readonly rules: readonly string[];
  /** Name and address of the device. */
  readonly clients: readonly string[];
  readonly tags: readonly string[];
  /** Names and addresses in the answer. */
  readonly answer: readonly string[];
};

export type FilesExplanation = {
  readonly name: string;
  readonly type: string;
  readonly verdict: ExplainedVerdict;
  readonly answer: AnswerExplanation;
  readonly rules: readonly (Pick<ExplainedRule, 'source' | 'text' | 'outcome' | 'why'> & { readonly list: string })[];
  /** Wildcards and expressions that were not tested, because the step limit was reached. */
  readonly skipped: number;
  readonly files: readonly ({ readonly file: string; readonly source: SourceName } & BuildReport)[];
};

type Loaded = {
  readonly file: string;
  readonly source: SourceName;
  readonly table: ListTable;
  readonly lineAt: (slot: number) => string;
  readonly report: BuildReport;
};

const LF = 0x0a;

/** Explains the verdict of the rules in the given files on a name. Returns an error if the query is invalid. */
export async function explainFiles(query: FilesQuery): Promise<Result<FilesExplanation, string>> {
  const name = readHostName(query.name);
  if (!name.ok) return name;
  const type = typeNumber(query.type.toUpperCase());
  if (type === undefined) return err(`"${query.type}" is not a DNS record type such as A, AAAA or HTTPS`);
  const parts: AnswerPart[] = [];
  for (const text of query.answer) {
    const part = readAnswerPart(text);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const secret = new Uint8Array(randomBytes(8));
  const load = (source: SourceName, answering: boolean) => (file: string) =>
    loadFile(file, source, { secret, answering });
  const loading = await Promise.all([
    ...query.rules.map(load('user rules', false)),
    ...query.lists.map(load('custom lists', false)),
    ...query.answering.map(load('custom lists', true)),
  ]);
  const missing = loading.find((result) => !result.ok);
  if (missing && !missing.ok) return missing;
  const loaded = loading.flatMap((result) => (result.ok ? [result.value] : []));
  const bySource = Map.groupBy(loaded, ({ source }) => source);
  const profile = composeProfile(
    Array.from(bySource, ([source, files]) => ({ source, tables: files.map(({ table }) => table) })),
  );
  const ofTable = new Map(loaded.map((file) => [file.table, file]));
  const decided = { name: name.value, at: 0, type, client: clientOf(query) };
  const readLine: ReadLine = (table, slot) => ofTable.get(table)?.lineAt(slot) ?? '';
  const explained = explain(decided, profile, { secret, readLine });
  const { verdict, rules, skipped } = explained;
  return ok({
    name: query.name,
    type: query.type.toUpperCase(),
    verdict: toExplainedVerdict(verdict),
    answer: explainParts(decided, explained, parts, profile, { secret, readLine }),
    rules: rules.map(({ source, list, text, outcome, why }) => ({ source, list: list.id, text, outcome, why })),
    skipped,
    files: loaded.map(({ file, source, report }) => ({ file, source, ...report })),
  });
}

async function loadFile(
  file: string,
  source: SourceName,
  { secret, answering }: { readonly secret: Uint8Array; readonly answering: boolean },
): Promise<Result<Loaded, string>> {
  let text: Uint8Array;
  try {
    text = new Uint8Array(await readFile(file));
  } catch (error) {
    return err(`cannot read ${file}: ${whyNotRead(error as NodeJS.ErrnoException)}`);
  }
  const { buffer, lines, report } = buildTable(text, { secret, answering });
  const lineAt = (slot: number): string => {
    const start = lines[slot] ?? 0;
    const end = text.indexOf(LF, start);
    return new TextDecoder().decode(text.subarray(start, end === -1 ? undefined : end)).trim();
  };
  // By full path: lists in different folders may have the same file name.
  return ok({ file, source, table: openTable(file, buffer), lineAt, report });
}

const whyNotRead = ({ code, message }: NodeJS.ErrnoException): string => reasons[code ?? ''] ?? message;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

function clientOf({ clients, tags }: FilesQuery) {
  const name = clients.find((client) => !parseIp(client));
  const ip = clients.map(parseIp).find((parsed) => parsed !== undefined);
  return {
    ...(name !== undefined && { name }),
    ...(ip && { address: Uint8Array.from(ip.bytes) }),
    ...(tags.length > 0 && { tags }),
  };
}
