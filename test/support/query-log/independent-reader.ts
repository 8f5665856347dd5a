import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/*
 * Reads a query log by docs/query-log.md alone: imports nothing of src, so the page and the files are checked against each
 * other.
 */
const keyFields = ['device', 'dnsServer', 'responseCountry', 'companyId', 'category', 'status'];
const restFields =
  'type,rcode,protocol,source,filterId,rule,serviceId,clientCountry,asn,network,dnssec,clientSubnet'.split(',');
const fields = ['domain', ...keyFields, ...restFields];

const DAY_MS = 86_400_000;
const BATCH_ROWS = 4096;
const PAGE_ROWS = 128;
const FIRST_ROW_PAGE = 96;

type Value = string | number | boolean | null;
type Row = { readonly sequence: number; readonly record: Readonly<Record<string, Value>> };
type Segment = {
  readonly id: number;
  readonly account: string;
  readonly batch: number;
  readonly oldest: number;
  readonly row_count: number;
  readonly fresh: Uint8Array | null;
} & Readonly<Record<'keys' | 'names' | 'spots' | 'rest', Uint8Array>>;
type Columns = { readonly length: number; readonly columns: ReadonlyMap<string, readonly Value[]> };

const aligned = (offset: number): number => Math.ceil(offset / 4) * 4;
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const textOf = (bytes: Uint8Array, at: number, size: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString('utf8');

function check(bytes: Uint8Array, from: number, to: number, checksum: number): void {
  if (crc32(bytes.subarray(from, to)) !== checksum) throw new Error(`wrong checksum of ${from} to ${to}`);
}

function numbersAt(view: DataView, at: number, width: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    if (width === 0) return 0;
    if (width === 1) return view.getUint8(at + index);
    return width === 2 ? view.getUint16(at + 2 * index, true) : view.getUint32(at + 4 * index, true);
  });
}

/** The values of each column per row; all values of a column without codes. */
function readColumns(bytes: Uint8Array): Columns {
  const view = viewOf(bytes);
  const number = (at: number): number => view.getUint32(at, true);
  const body = number(4);
  check(bytes, 4, body, number(0));
  const names = textOf(bytes, 16, number(12)).split(',');
  const headers = aligned(16 + number(12));
  const checksums = headers + 44 * names.length;
  for (let at = body, block = 0; at < bytes.length; at += 1024, block += 1)
    check(bytes, at, Math.min(at + 1024, bytes.length), number(checksums + 4 * block));
  const columns = names.map((name, index) => {
    const header = numbersAt(view, headers + 44 * index, 4, 5);
    const [textAt, textSize, codesAt, width, count] = header as [number, number, number, number, number];
    const values = JSON.parse(textOf(bytes, body + textAt, textSize)) as Value[];
    const codes = numbersAt(view, body + codesAt, width, count);
    const isPlain = values.length === 0 || count === 0;
    return [name, isPlain ? [...values, ...codes] : codes.map((code) => values[code]!)] as const;
  });
  return { length: number(8), columns: new Map(columns) };
}

/** The milliseconds of a stored latency. */
function latencyOf(stored: number): number | null {
  if (stored === 0) return null;
  if (stored <= 100) return stored - 1;
  return stored <= 190 ? 100 + (stored - 101) * 10 : 1000 + (stored - 191) * 100;
}

type Position = { readonly account: string; readonly time: number; readonly sequence: number };

function rowOf({ account, time, sequence }: Position, values: readonly Value[], latency = 0): Row {
  const all = [...fields.map((field, index) => [field, values[index]!] as const), ['latencyMs', latencyOf(latency)]];
  const known = all.filter(([, value]) => value !== null);
  const record: Record<string, Value> = { time, account, ...Object.fromEntries(known) };
  const { rule, domain } = record;
  if (typeof rule === 'string' && rule.includes('\0')) {
    const at = rule.indexOf('\0');
    const labels = String(domain)
      .split('.')
      .slice(-rule.charCodeAt(at + 1));
    record['rule'] = rule.slice(0, at) + labels.join('.') + rule.slice(at + 2);
  }
  return { sequence, record };
}

function encodedRows({ account, batch, oldest, ...parts }: Segment): Row[] {
  const [keys, names, spots, rest] = [parts.keys, parts.names, parts.spots, parts.rest].map(readColumns) as Four;
  const day = Math.floor(oldest / DAY_MS) * DAY_MS;
  const at = (of: Columns, name: string, row: number): Value => of.columns.get(name)![row]!;
  return Array.from({ length: spots.length }, (_, row) => {
    const [key, other] = [at(spots, 'key', row) as number, at(spots, 'rest', row) as number];
    const sequence = (batch + (at(spots, 'batch', row) as number)) * BATCH_ROWS + (at(spots, 'place', row) as number);
    const values = [
      at(names, 'domain', at(spots, 'domain', row) as number),
      ...keyFields.map((field) => at(keys, field, key)),
      ...restFields.map((field) => at(rest, field, other)),
    ];
    const latency = spots.columns.get('latency')?.[row] as number | undefined;
    return rowOf({ account, time: day + (at(spots, 'time', row) as number), sequence }, values, latency);
  });
}
type Four = [Columns, Columns, Columns, Columns];

function rawRows({ account, batch }: Segment, bytes: Uint8Array): Row[] {
  const view = viewOf(bytes);
  const number = (at: number): number => view.getUint32(at, true);
  check(bytes, 4, bytes.length, number(0));
  const [rows, start, size] = [number(4), view.getFloat64(8, true), number(16)];
  const values = JSON.parse(textOf(bytes, 52, size)) as Value[][];
  const times = aligned(52 + size);
  let end = times + 4 * rows;
  const counts = [rows, rows, rows, ...keyFields.map(() => number(20)), ...restFields.map(() => number(24))];
  const codes = counts.map((count, index) => {
    const width = view.getUint8(28 + index);
    const read = numbersAt(view, end, width, count);
    end += aligned(width * count);
    return read;
  });
  const [domains, keys, rest, ...ofTuples] = codes as [number[], number[], number[], ...number[][]];
  const first = (batch + 1 - Math.ceil(rows / BATCH_ROWS)) * BATCH_ROWS;
  const hasLatencies = view.getUint8(49) === 1;
  return Array.from({ length: rows }, (_, row) => {
    const ofRow = [
      values[0]![domains[row]!]!,
      ...ofTuples.map((field, index) => {
        const tuple = (index < keyFields.length ? keys : rest)[row]!;
        return values[index + 1]![field[tuple]!]!;
      }),
    ];
    const position = { account, time: start + view.getInt32(times + 4 * row, true), sequence: first + row };
    return rowOf(position, ofRow, hasLatencies ? view.getUint8(end + row) : 0);
  });
}

function pageRows({ account, batch, oldest }: Segment, bytes: Uint8Array): Row[] {
  const view = viewOf(bytes);
  check(bytes, 4, bytes.length, view.getUint32(0, true));
  const [rows, sizes] = [view.getUint32(4, true), view.getUint32(8, true)];
  const places = 52 + 4 * rows;
  const counts = numbersAt(view, 32, 1, fields.length + 1);
  let [codesAt, size, text] = [places + 2 * rows, sizes, sizes + 2 * counts.reduce((sum, count) => sum + count, 0)];
  const columns = counts.map((count, column) => {
    const bits = view.getUint8(12 + column);
    const values = Array.from({ length: count }, (): Value => {
      const own = view.getUint16(size, true);
      const written = textOf(bytes, text, own & 0x7fff);
      size += 2;
      text += own & 0x7fff;
      if (own === 0x8000) return null;
      return own > 0x8000 ? (JSON.parse(written) as Value) : written;
    });
    const from = codesAt;
    codesAt += Math.ceil((rows * bits) / 8);
    return (row: number): Value => {
      if (bits === 0) return values[0]!;
      if (bits === 8) return values[view.getUint8(from + row)]!;
      return values[(view.getUint8(from + (row >> 1)) >> (4 * (row % 2))) & 15]!;
    };
  });
  const day = Math.floor(oldest / DAY_MS) * DAY_MS;
  return Array.from({ length: rows }, (_, row) => {
    const values = columns.map((column) => column(row));
    const sequence = (batch + (values.at(-1) as number)) * BATCH_ROWS + view.getUint16(places + 2 * row, true);
    const time = day + view.getUint32(52 + 4 * row, true);
    return rowOf({ account, time, sequence }, values, text < bytes.length ? view.getUint8(text + row) : 0);
  });
}

/** Row numbers of a value in a part of the index. */
function bitmapRows(part: Uint8Array, hash: number): { readonly rows: readonly number[]; readonly inPages: number } {
  check(part, 4, part.length, viewOf(part).getUint32(0, true));
  const numbers = numbersAt(viewOf(part), 0, 4, part.length / 4);
  const [, inPages, rows, values] = numbers as [number, number, number, number];
  const found: number[] = [];
  for (let entry = 4; entry < 4 + 3 * values; entry += 3) {
    if (numbers[entry] !== hash) continue;
    const [start, runs] = [numbers[entry + 1]!, numbers[entry + 2]!];
    if (runs === 0xffffffff) {
      for (let row = 0; row < rows; row += 1) if ((numbers[start + (row >> 5)]! >>> (row & 31)) & 1) found.push(row);
    } else
      for (const run of numbers.slice(start, start + runs))
        for (let row = run >>> 16; row <= (run >>> 16) + (run & 0xffff); row += 1) found.push(row);
  }
  return { rows: found, inPages };
}

/** Rows of rare tuples with a value, and whether other rows may have it; undefined for a segment without an index. */
function indexedRows(file: DatabaseSync, segment: Segment, field: string, value: string) {
  if (segment.fresh || segment.row_count < 4096) return undefined;
  const page = (number: number): Uint8Array | undefined =>
    file.prepare('SELECT body FROM pieces WHERE id = ?').get(segment.id * 512 + number)?.['body'] as Uint8Array;
  const hash = crc32(`${field} ${value}`);
  const part = page(keyFields.indexOf(field) * 16 + (hash & 15));
  const { rows, inPages } = part ? bitmapRows(part, hash) : { rows: [], inPages: 0 };
  const rare = rows.filter((row) => row < inPages);
  return {
    hasFrequent: rare.length < rows.length,
    rows: rare.map((row) => pageRows(segment, page(FIRST_ROW_PAGE + Math.floor(row / PAGE_ROWS))!)[row % PAGE_ROWS]!),
  };
}

const openFile = (folder: string, name: string): DatabaseSync => {
  const file = new DatabaseSync(join(folder, name), { readOnly: true });
  const format = file.prepare('PRAGMA user_version').get()!['user_version'];
  if (format !== 4) throw new Error(`${name} has format ${String(format)}`);
  return file;
};

const newestFirst = (one: Row, other: Row): number =>
  (other.record['time'] as number) - (one.record['time'] as number) || other.sequence - one.sequence;

/** Reads the files of a log that is closed. */
export function readLogFolder(folder: string) {
  const files = readdirSync(folder)
    .filter((name) => /^log-\d{4}-\d\d-\d\d\.db$/.test(name))
    .map((name) => openFile(folder, name));
  const statistics = openFile(folder, 'statistics.db');
  const segments = files.flatMap((file) =>
    (file.prepare('SELECT * FROM blocks').all() as unknown as Segment[]).map((segment) => ({ file, segment })),
  );
  const rowsOf = (segment: Segment): Row[] => (segment.fresh ? rawRows(segment, segment.fresh) : encodedRows(segment));
  return {
    kinds: segments.map(({ segment }) => (segment.fresh ? 'raw' : 'encoded')),
    records: (account: string) =>
      segments
        .filter(({ segment }) => segment.account === account)
        .flatMap(({ segment }) => rowsOf(segment))
        .sort(newestFirst)
        .map(({ record }) => record),
    /** Rows that the index finds and rows that it should find, per segment with an index. */
    indexed: (account: string, field: string, value: string) =>
      segments
        .filter(({ segment }) => segment.account === account)
        .flatMap(({ file, segment }) => {
          const found = indexedRows(file, segment, field, value);
          if (!found) return [];
          const expected = rowsOf(segment).filter(({ record }) => record[field] === value);
          return [{ ...found, rows: found.rows.sort(newestFirst), expected }];
        }),
    rollups: (account: string, unit: string) =>
      statistics
        .prepare('SELECT start, queries, body FROM tallies WHERE account = ? AND unit = ? ORDER BY start')
        .all(account, unit)
        .map(({ start, queries, body }) => ({ start, queries, ...readColumns(body as Uint8Array) })),
    zoneMaps: (account: string) =>
      files.flatMap((file) =>
        file
          .prepare("SELECT start, body FROM tallies WHERE account = ? AND unit = 'occurring'")
          .all(account)
          .map(({ start, body }) => ({ start, ...readColumns(body as Uint8Array) })),
      ),
    close(): void {
      for (const file of [...files, statistics]) file.close();
    },
  };
}
