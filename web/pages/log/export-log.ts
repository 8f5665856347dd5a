import { problemOf } from '../../api/api-error.ts';
import { type LogFilters, readLog } from '../../api/log.ts';
import type { LogItem } from '../../api/wire.ts';
import { csvLine } from '../../components/csv.ts';
import { responseCode } from './response-code.ts';

export type ExportKind = 'csv' | 'json';

export type ExportRequest = {
  readonly kind: ExportKind;
  readonly filters: LogFilters;
  readonly from: number;
  readonly to: number;
  readonly names: ExportNames;
};

/** Names of ids in the log. */
export type ExportNames = {
  readonly device: (id: string) => string;
  readonly profile: (id: string) => string;
  readonly list: (id: string) => string;
  readonly company: (id: string) => string;
};

export type ExportProgress =
  | { readonly kind: 'going on'; readonly rows: number /** From 0 to 1, by time. */; readonly share: number }
  | { readonly kind: 'waiting'; readonly rows: number; readonly share: number }
  | { readonly kind: 'done'; readonly rows: number; readonly file: Blob };

const PAGE_ROWS = 1000;
const WAIT_MS = 3000;

type Cell = (item: LogItem, names: ExportNames) => string | number | boolean | undefined;

const columns: readonly (readonly [name: string, cell: Cell])[] = [
  ['time', (item) => item.time_iso],
  ['domain', (item) => item.domain],
  ['type', (item) => item.dns_request_type?.replace(/^Type/, '')],
  ['response', (item) => responseCode(item.dns_response_type)],
  ['latency_ms', (item) => item.latency_millis],
  ['protocol', (item) => item.dns_proto_type],
  ['device', (item, names) => names.device(item.device_id)],
  ['profile', (item, names) => names.profile(item.dns_server_id)],
  ['status', (item) => item.filtering_info.filtering_status],
  ['filtered_by', (item) => item.filtering_info.filtering_type],
  ['list', ({ filtering_info: { filter_id } }, names) => filter_id && names.list(filter_id)],
  ['rule', (item) => item.filtering_info.filter_rule],
  ['blocked_service_id', (item) => item.filtering_info.blocked_service_id],
  ['company', (item, names) => names.company(item.company_id)],
  ['category', (item) => item.category_type],
  ['client_address', (item) => item.client_address],
  ['client_country', (item) => item.client_country],
  ['response_country', (item) => item.response_country],
  ['asn', (item) => item.asn],
  ['network', (item) => item.network],
  ['dnssec', (item) => item.dnssec],
  ['device_id', (item) => item.device_id],
  ['dns_server_id', (item) => item.dns_server_id],
  ['filter_id', (item) => item.filtering_info.filter_id],
  ['company_id', (item) => item.company_id],
];

type FileFormat = {
  readonly type: string;
  readonly begin: string;
  readonly rows: (items: readonly LogItem[], names: ExportNames, isFirst: boolean) => string;
  readonly end: string;
};

const namesOf = (
  { device_id, dns_server_id, company_id, filtering_info: { filter_id } }: LogItem,
  names: ExportNames,
) => ({
  device_name: names.device(device_id),
  dns_server_name: names.profile(dns_server_id),
  company_name: names.company(company_id),
  ...(filter_id !== undefined && { filter_name: names.list(filter_id) }),
});

const fileFormats: Readonly<Record<ExportKind, FileFormat>> = {
  csv: {
    type: 'text/csv;charset=utf-8',
    begin: csvLine(columns.map(([name]) => name)),
    rows: (items, names) => items.map((item) => csvLine(columns.map(([, cell]) => cell(item, names)))).join(''),
    end: '',
  },
  json: {
    type: 'application/json',
    begin: '[\n',
    rows: (items, names, isFirst) =>
      (isFirst || items.length === 0 ? '' : ',\n') +
      items.map((item) => JSON.stringify({ ...item, ...namesOf(item, names) })).join(',\n'),
    end: '\n]\n',
  },
};

/**
 * Exports all matching pages as one file. Each page becomes a Blob at once, because browsers can store Blobs outside of the
 * page's memory.
 */
export async function* exportLog(request: ExportRequest, signal: AbortSignal): AsyncGenerator<ExportProgress> {
  const { filters, from, to, names } = request;
  const { type, begin, rows: formatRows, end } = fileFormats[request.kind];
  const parts: Blob[] = [new Blob([begin])];
  let rows = 0;
  let share = 0;
  let cursor: string | undefined;
  do {
    const part = await readLog({ filters, from, to, limit: PAGE_ROWS, cursor }, signal).catch((error: unknown) => {
      if (problemOf(error).kind !== 'unreachable') throw error;
      return undefined;
    });
    if (part === undefined) {
      // Keeps the exported pages and continues at the same cursor.
      yield { kind: 'waiting', rows, share };
      await delay(WAIT_MS, signal);
      continue;
    }
    parts.push(new Blob([formatRows(part.items, names, rows === 0)]));
    rows += part.items.length;
    cursor = part.next;
    share = (to - (part.items.at(-1)?.time_millis ?? from)) / Math.max(1, to - from);
    yield { kind: 'going on', rows, share };
    if (cursor === undefined) break;
  } while (!signal.aborted);
  if (!signal.aborted) yield { kind: 'done', rows, file: new Blob([...parts, end], { type }) };
}

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
