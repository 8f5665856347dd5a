import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PreparedInsert } from '../ingest/spooled-engine.ts';
import { type AccountBatch, accountBatches, type EncodedBatch, tableIn } from '../log-engine.ts';
import type { Value } from '../segments/columns.ts';
import { latencyMs } from '../segments/latency.ts';
import { type EncodedTuples, restFields, ruleOf, type TableField, tableFields } from '../segments/row.ts';
import { columnNames, isMissingIfEmpty, LATENCY } from './columns.ts';
import { quoted } from './sql.ts';

/** Some 12 MiB of text. */
const MAX_ROWS = 40_000;
const FAST = { level: 1 } as const;
/** Rows per millisecond before sequences run ahead of the clock; the product stays a safe integer until the year 2109. */
const SEQUENCES_PER_MS = 2048;
const RULE = restFields.indexOf('rule');

/** Sequences order rows of one millisecond. They follow the clock, so they grow over restarts and differ between nodes. */
export function createSequences(now: () => number = Date.now): (count: number) => number {
  let next = 0;
  return (count) => {
    const first = Math.max(next, now() * SEQUENCES_PER_MS);
    next = first + count;
    return first;
  };
}

type Preparing = {
  readonly sequences: (count: number) => number;
  /** The second from which rows of the account at this time are not shown. */
  readonly expiresAt: (account: string, time: number) => number;
  /** Of a batch of another node: the same id is stored once, also if its rows get other sequences. */
  readonly id?: string;
};

export function prepareInserts(batches: readonly EncodedBatch[], preparing: Preparing): readonly PreparedInsert[] {
  const inserts: PreparedInsert[] = [];
  let lines: string[] = [];
  const finish = (): void => {
    const id = preparing.id === undefined ? randomUUID() : `${preparing.id} ${inserts.length}`;
    if (lines.length > 0) inserts.push(prepared(id, lines));
    lines = [];
  };
  for (const batch of accountBatches(batches)) {
    writeLines(batch, preparing, lines);
    if (lines.length >= MAX_ROWS) finish();
  }
  finish();
  return inserts;
}

// Parsed by one thread, so a repeated insert consists of the same blocks.
const insertSettings = [
  'deduplicate_blocks_in_dependent_materialized_views = 1',
  'input_format_parallel_parsing = 0',
  'max_insert_threads = 1',
  'max_partitions_per_insert_block = 0',
  'async_insert = 0',
];
// The rule is last: it may contain the domain, and is written per row.
const columns = [
  'account',
  'time',
  'sequence',
  'expires',
  LATENCY,
  ...columnNames.filter((name) => name !== 'rule'),
  'rule',
];

function prepared(id: string, lines: readonly string[]): PreparedInsert {
  const settings = [`insert_deduplication_token = ${quoted(id)}`, ...insertSettings].join(', ');
  const head = `INSERT INTO queries (${columns.join(', ')}) SETTINGS ${settings} FORMAT JSONCompactEachRow`;
  return { id, rows: lines.length, body: gzipSync([head, ...lines, ''].join('\n'), FAST) };
}

/** Values of a tuple are written once for all its rows. */
function writeLines(batch: AccountBatch, { sequences, expiresAt }: Preparing, lines: string[]): void {
  const table = tableIn(batch);
  const { length, times, latencies, names, keys, rest } = table;
  const account = JSON.stringify(batch.account);
  const lowest = table.sequences.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const first = sequences(length) - lowest;
  const domains = names.values.map((name) => JSON.stringify(name));
  const keyTexts = tupleTexts(keys, 1);
  const restTexts = tupleTexts(rest, 1 + keys.fields.length, 'rule');
  const rules = rest.fields[RULE]!;
  for (let row = 0; row < length; row += 1) {
    const [time, restTuple, name] = [times[row]!, rest.codes[row]!, names.codes[row]!];
    const rule = ruleOf(rules.values[rules.codes[restTuple]!]!, names.values[name] as string) ?? '';
    const position = `"${(time / 1000).toFixed(3)}",${first + table.sequences[row]!},${expiresAt(batch.account, time)}`;
    const texts = `${domains[name]},${keyTexts[keys.codes[row]!]},${restTexts[restTuple]}`;
    lines.push(`[${account},${position},${latencyMs(latencies[row]!)},${texts},${JSON.stringify(rule)}]`);
  }
}

/** JSON of the values of each tuple, separated by commas; `from`: the place of the first field. */
function tupleTexts({ length, fields }: EncodedTuples, from: number, without?: TableField): readonly string[] {
  const written = fields.flatMap(({ values, codes }, place) =>
    tableFields[from + place] === without
      ? []
      : [{ codes, texts: values.map((value) => textOf(value, isMissingIfEmpty[from + place]!)) }],
  );
  return Array.from({ length }, (_, tuple) => written.map(({ codes, texts }) => texts[codes[tuple]!]).join(','));
}

const textOf = (value: Value, isEmptyText: boolean): string =>
  value === null && isEmptyText ? '""' : JSON.stringify(value);
