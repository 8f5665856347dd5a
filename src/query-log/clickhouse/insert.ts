import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { compressBody } from '../ingest/compress-body.ts';
import type { PreparedInsert } from '../ingest/spooled-engine.ts';
import { type EncodedBatch, rowsIn } from '../log-engine.ts';
import type { Value } from '../segments/columns.ts';
import { latencyMs } from '../segments/latency.ts';
import { type EncodedTuples, restFields, ruleOf, type TableField, tableFields } from '../segments/row.ts';
import { columnNames, isMissingIfEmpty, LATENCY } from './columns.ts';
import { quoted } from './sql.ts';

/** About 12 MiB of text. */
const MAX_ROWS = 40_000;
/** Rows per step, which takes about 20 ms. */
const ROWS_PER_STEP = 2000;
/** Rows per millisecond before sequences run ahead of the clock; the product stays a safe integer until the year 2109. */
const SEQUENCES_PER_MS = 2048;
const RULE = restFields.indexOf('rule');

/**
 * Sequences order rows of the same millisecond. They are derived from the clock, so they increase across restarts and differ between nodes.
 */
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
  /** Second from which rows of the account with this time are hidden. */
  readonly expiresAt: (account: string, time: number) => number;
  /** Id of a batch of another node, which is stored once even if its rows get other sequences. */
  readonly id?: string;
};

export async function prepareInserts(
  batches: readonly EncodedBatch[],
  preparing: Preparing,
): Promise<readonly PreparedInsert[]> {
  const inserts: PreparedInsert[] = [];
  let lines: string[] = [];
  let texts: Buffer[] = [];
  let rows = 0;
  const finishStep = async (): Promise<void> => {
    texts.push(Buffer.from(lines.join('')));
    rows += lines.length;
    lines = [];
    await setImmediate();
  };
  const finishInsert = async (): Promise<void> => {
    if (lines.length > 0) await finishStep();
    if (rows === 0) return;
    const id = preparing.id === undefined ? randomUUID() : `${preparing.id} ${inserts.length}`;
    inserts.push(await prepared(id, rows, texts));
    [texts, rows] = [[], 0];
  };
  for (const batch of batches) {
    writeLines(batch, preparing, lines);
    if (lines.length >= ROWS_PER_STEP) await finishStep();
    if (rows + lines.length >= MAX_ROWS) await finishInsert();
  }
  await finishInsert();
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
// The rule is last, because it may contain the domain and is written per row.
const columns = [
  'account',
  'time',
  'sequence',
  'expires',
  LATENCY,
  ...columnNames.filter((name) => name !== 'rule'),
  'rule',
];

async function prepared(id: string, rows: number, texts: readonly Buffer[]): Promise<PreparedInsert> {
  const settings = [`insert_deduplication_token = ${quoted(id)}`, ...insertSettings].join(', ');
  const head = `INSERT INTO queries (${columns.join(', ')}) SETTINGS ${settings} FORMAT JSONCompactEachRow\n`;
  return { id, rows, body: await compressBody(Buffer.concat([Buffer.from(head), ...texts])) };
}

/** Values of a tuple are written once for all its rows. */
function writeLines(batch: EncodedBatch, { sequences, expiresAt }: Preparing, lines: string[]): void {
  const { table, accounts } = rowsIn(batch);
  const { length, times, latencies, names, keys, rest } = table;
  const lowest = table.sequences.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const first = sequences(length) - lowest;
  const domains = names.values.map((name) => JSON.stringify(name));
  const keyTexts = tupleTexts(keys, 1);
  const restTexts = tupleTexts(rest, 1 + keys.fields.length, 'rule');
  const rules = rest.fields[RULE]!;
  for (const { account, start, rows } of accounts) {
    const accountText = JSON.stringify(account);
    for (let row = start; row < start + rows; row += 1) {
      const [time, restTuple, name] = [times[row]!, rest.codes[row]!, names.codes[row]!];
      const rule = ruleOf(rules.values[rules.codes[restTuple]!]!, names.values[name] as string) ?? '';
      const position = `"${(time / 1000).toFixed(3)}",${first + table.sequences[row]!},${expiresAt(account, time)}`;
      const texts = `${domains[name]},${keyTexts[keys.codes[row]!]},${restTexts[restTuple]}`;
      lines.push(`[${accountText},${position},${latencyMs(latencies[row]!)},${texts},${JSON.stringify(rule)}]\n`);
    }
  }
}

/** JSON of the values of each tuple, separated by commas; `from`: the index of the first field. */
function tupleTexts({ length, fields }: EncodedTuples, from: number, without?: TableField): readonly string[] {
  const written = fields.flatMap(({ values, codes }, index) =>
    tableFields[from + index] === without
      ? []
      : [{ codes, texts: values.map((value) => textOf(value, isMissingIfEmpty[from + index]!)) }],
  );
  return Array.from({ length }, (_, tuple) => written.map(({ codes, texts }) => texts[codes[tuple]!]).join(','));
}

const textOf = (value: Value, isEmptyText: boolean): string =>
  value === null && isEmptyText ? '""' : JSON.stringify(value);
