import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { recordText } from '../../dns/record-text.ts';
import type { BuildReport } from '../../engine/build/build-report.ts';
import { buildTable } from '../../engine/build/build-table.ts';
import { type ExplainedRule, explain, type SourceVerdict } from '../../engine/explain/explain.ts';
import { type ListTable, openTable } from '../../engine/list-table.ts';
import { composeProfile } from '../../engine/match/profile.ts';
import type { SourceName } from '../../engine/sources.ts';
import type { Rewritten } from '../../engine/verdict.ts';
import { codeName, typeName, typeNumber } from '../../kit/dns-numbers.ts';
import { parseIp } from '../../kit/ip-address.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { readHostName } from '../../rules/read-host-name.ts';
import { rewrittenRecords } from '../pipeline/rewritten-answer.ts';

export type FilesQuery = {
  readonly name: string;
  readonly type: string;
  readonly lists: readonly string[];
  /** Hosts files whose addresses are used as answers. */
  readonly answering: readonly string[];
  readonly rules: readonly string[];
  readonly client: string | undefined;
  readonly tags: readonly string[];
};

export type FilesExplanation = {
  readonly name: string;
  readonly type: string;
  readonly verdict: ExplainedVerdict;
  readonly rules: readonly (Pick<ExplainedRule, 'source' | 'text' | 'outcome' | 'why'> & { readonly list: string })[];
  /** Wildcards and expressions that were not tested, because the decision had used up its steps. */
  readonly skipped: number;
  readonly files: readonly ({ readonly file: string; readonly source: SourceName } & BuildReport)[];
};

export type ExplainedVerdict = {
  readonly kind: SourceVerdict['kind'];
  readonly source?: SourceName;
  readonly list?: string;
  readonly rule?: string;
  readonly rewrite?: ExplainedRewrite;
};

/** Numbers and bytes in presentation format. */
type ExplainedRewrite =
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'records'; readonly type: string; readonly values: readonly string[] };

type Loaded = {
  readonly file: string;
  readonly source: SourceName;
  readonly table: ListTable;
  readonly lineAt: (slot: number) => string;
  readonly report: BuildReport;
};

const LF = 0x0a;
const root = Uint8Array.of(0);

/** Explains the verdict of the rules in some files on a name. An error describes what is wrong with the query. */
export async function explainFiles(query: FilesQuery): Promise<Result<FilesExplanation, string>> {
  const name = readHostName(query.name);
  if (!name.ok) return name;
  const type = typeNumber(query.type.toUpperCase());
  if (type === undefined) return err(`"${query.type}" is not a DNS record type such as A, AAAA or HTTPS`);
  const secret = new Uint8Array(randomBytes(8));
  const load = (source: SourceName, answering: boolean) => (file: string) =>
    loadFile(file, source, { secret, answering });
  const loading = await Promise.all([
    ...query.rules.map(load('user rules', false)),
    ...query.lists.map(load('custom lists', false)),
    ...query.answering.map(load('custom lists', true)),
  ]);
  const missing = loading.find((each) => !each.ok);
  if (missing && !missing.ok) return missing;
  const loaded = loading.flatMap((each) => (each.ok ? [each.value] : []));
  const bySource = Map.groupBy(loaded, ({ source }) => source);
  const profile = composeProfile(
    Array.from(bySource, ([source, files]) => ({ source, tables: files.map(({ table }) => table) })),
  );
  const ofTable = new Map(loaded.map((each) => [each.table, each]));
  const { verdict, rules, skipped } = explain({ name: name.value, at: 0, type, client: clientOf(query) }, profile, {
    secret,
    readLine: (table, slot) => ofTable.get(table)?.lineAt(slot) ?? '',
  });
  return ok({
    name: query.name,
    type: query.type.toUpperCase(),
    verdict: toExplainedVerdict(verdict),
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

function clientOf({ client, tags }: FilesQuery) {
  const ip = client === undefined ? undefined : parseIp(client);
  return {
    ...(ip ? { address: Uint8Array.from(ip.bytes) } : client !== undefined && { name: client }),
    ...(tags.length > 0 && { tags }),
  };
}

export function toExplainedVerdict(verdict: SourceVerdict): ExplainedVerdict {
  if (verdict.kind === 'pass') return verdict;
  const { kind, source, list, text, rewrite } = verdict;
  return { kind, source, list: list.id, rule: text, ...(rewrite && { rewrite: toldRewrite(rewrite) }) };
}

function toldRewrite(rewrite: Rewritten): ExplainedRewrite {
  if (rewrite.kind === 'cname') return rewrite;
  if (rewrite.kind === 'code') return { kind: 'code', code: codeName(rewrite.code) };
  const records = rewrittenRecords(root, rewrite.type, rewrite.values, 0);
  return {
    kind: 'records',
    type: typeName(rewrite.type),
    values: records.map(({ type, data }) => recordText(type, data)),
  };
}
