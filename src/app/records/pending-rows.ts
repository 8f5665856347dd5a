import type { CompanyCategory } from '../../domain/catalogue/company.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryProtocols } from '../../domain/query-record.ts';
import type { Value } from '../../store/log/columns.ts';
import { MAX_BATCH_ROWS, packRows } from '../../store/log/fresh-rows.ts';
import type { PackedRecords } from '../../store/log/log-over.ts';
import { numbering } from '../../store/log/numbering.ts';
import { recordOf, type TableField, tableFields } from '../../store/log/row.ts';

/** What stands in a row until it is packed: numbers of things that are known once. */
export const cell = { name: 0, who: 1, list: 2, rule: 3, type: 4, flags: 5, client: 6, answer: 7 } as const;
type CellName = keyof typeof cell;
const ROW_CELLS = 8;
const DAY_MS = 86_400_000;
const FIRST_ROWS = 64;

/** Rows of one account and one day that are not packed yet. */
export type PendingRows = {
  readonly account: string;
  rows: number;
  /** When the day of its rows begins. */
  day: number;
  start: number;
  first: number;
  last: number;
  cells: Int32Array;
  offsets: Int32Array;
};

export const newPendingRows = (account: string): PendingRows => ({
  account,
  rows: 0,
  day: 0,
  start: 0,
  first: 0,
  last: 0,
  cells: new Int32Array(FIRST_ROWS * ROW_CELLS),
  offsets: new Int32Array(FIRST_ROWS),
});

export const hasRoomFor = ({ rows, day }: PendingRows, time: number): boolean =>
  rows === 0 || (rows < MAX_BATCH_ROWS && time >= day && time < day + DAY_MS);

/** Makes room for a row of that time and gives the place of its cells. */
export function addRow(pending: PendingRows, time: number): number {
  if (pending.rows === 0) {
    pending.day = Math.floor(time / DAY_MS) * DAY_MS;
    pending.start = time;
    pending.first = time;
    pending.last = time;
  } else if (time > pending.last) pending.last = time;
  else if (time < pending.first) pending.first = time;
  if (pending.rows === pending.offsets.length) grow(pending);
  pending.offsets[pending.rows] = time - pending.start;
  const at = pending.rows * ROW_CELLS;
  pending.rows += 1;
  return at;
}

function grow(pending: PendingRows): void {
  const length = Math.min(MAX_BATCH_ROWS, pending.offsets.length * 4);
  const [cells, offsets] = [new Int32Array(length * ROW_CELLS), new Int32Array(length)];
  cells.set(pending.cells);
  offsets.set(pending.offsets);
  pending.cells = cells;
  pending.offsets = offsets;
}

/** Code of the answer, protocol, status, source and DNSSEC in one number below 2^16. */
export const flagsOf = (rcode: number, protocol: number, status: number, source: number, isDnssec: boolean): number =>
  (rcode & 31) | (protocol << 5) | (status << 8) | ((source & 15) << 11) | (isDnssec ? 0x8000 : 0);

/** What the numbers of cells mean. */
export type Meanings = {
  readonly domain: (name: number) => string;
  readonly company: (name: number) => { readonly id: string; readonly category: CompanyCategory };
  readonly device: (who: number) => string | undefined;
  readonly dnsServer: (who: number) => string;
  readonly listId: (list: number) => string | undefined;
  readonly rule: (rule: number) => string | undefined;
  readonly client: (client: number) => {
    readonly country: string | undefined;
    readonly asn: number | undefined;
    readonly network: string | undefined;
    readonly subnet: string | undefined;
  };
  readonly country: (answer: number) => string | undefined;
};

const SERVICES = filteringSources.indexOf('PARENTAL_BLOCKED_SERVICE');
const sourceOf = (flags: number): number => (flags >>> 11) & 15;

/** Which cell each column is read from, and how. */
const columnsOf = (
  means: Meanings,
): Readonly<Record<TableField, readonly [CellName, (number: number) => Value | undefined]>> => ({
  domain: ['name', means.domain],
  device: ['who', means.device],
  dnsServer: ['who', means.dnsServer],
  responseCountry: ['answer', means.country],
  companyId: ['name', (name) => means.company(name).id],
  category: ['name', (name) => means.company(name).category],
  status: ['flags', (flags) => filteringStatuses[(flags >>> 8) & 7]],
  type: ['type', (type) => type],
  rcode: ['flags', (flags) => flags & 31],
  protocol: ['flags', (flags) => queryProtocols[(flags >>> 5) & 7]],
  source: ['flags', (flags) => filteringSources[sourceOf(flags)]],
  filterId: ['list', means.listId],
  rule: ['rule', (rule) => (rule & 1 ? undefined : means.rule(rule >>> 1))],
  serviceId: ['rule', (rule) => (rule & 1 ? means.rule(rule >>> 1) : undefined)],
  clientCountry: ['client', (client) => means.client(client).country],
  asn: ['client', (client) => means.client(client).asn],
  network: ['client', (client) => means.client(client).network],
  dnssec: ['flags', (flags) => (flags & 0x8000) !== 0],
  clientSubnet: ['client', (client) => means.client(client).subnet],
});

/** The cell of a rule: its number, and whether it is the id of a service. */
export const ruleCell = (rule: number, source: number): number => rule * 2 + (source === SERVICES ? 1 : 0);

export function rowPacker(means: Meanings) {
  const reading = columnsOf(means);
  const inOrder = tableFields.map((field) => reading[field]);
  const cellNames = Object.keys(cell) as CellName[];
  // Used again for every batch: what is packed is copied.
  const ofCells = cellNames.map(() => ({ numbers: [] as number[], codes: new Uint32Array(MAX_BATCH_ROWS) }));
  const ofColumns = tableFields.map(() => new Uint32Array(MAX_BATCH_ROWS));
  let scratch = new Int32Array(65_536).fill(-1);

  /** The different numbers in one cell of all rows, and which each row has. */
  const findDifferent = ({ cells, rows }: PendingRows, at: number): void => {
    const { numbers, codes } = ofCells[at]!;
    numbers.length = 0;
    for (let row = 0, from = at; row < rows; row += 1, from += ROW_CELLS) {
      const number = cells[from]!;
      if (number >= scratch.length) scratch = widened(scratch, number);
      let code = scratch[number]!;
      if (code === -1) {
        code = numbers.push(number) - 1;
        scratch[number] = code;
      }
      codes[row] = code;
    }
    for (const number of numbers) scratch[number] = -1;
  };

  return {
    pack(pending: PendingRows): PackedRecords {
      for (const name of cellNames) findDifferent(pending, cell[name]);
      const { account, first, last, rows, start, offsets } = pending;
      const columns = inOrder.map(([name, read], place) =>
        columnOf(ofCells[cell[name]]!, read, rows, ofColumns[place]!, means.domain),
      );
      return { account, first, last, rows, fresh: packRows({ length: rows, start, offsets, columns }) };
    },
    record({ account, cells, start, offsets }: PendingRows, row: number): QueryRecord {
      const values = inOrder.map(([name, read]) => read(cells[row * ROW_CELLS + cell[name]]!));
      return recordOf(account, start + offsets[row]!, values);
    },
  };
}

function columnOf(
  { numbers, codes }: { readonly numbers: readonly number[]; readonly codes: Uint32Array },
  read: (number: number) => Value | undefined,
  rows: number,
  own: Uint32Array,
  domain: Meanings['domain'],
) {
  // Names are as many as their numbers: nothing has to be looked up.
  if (read === domain) return { values: numbers.map((number) => read(number) ?? null), codes };
  const { values, of } = numbering();
  const to = new Uint32Array(numbers.length);
  for (let place = 0; place < numbers.length; place += 1) to[place] = of(read(numbers[place]!) ?? null);
  // Where each number means another value, and where all mean one, nothing has to be translated.
  if (values.length === numbers.length || values.length === 1) return { values, codes };
  for (let row = 0; row < rows; row += 1) own[row] = to[codes[row]!]!;
  return { values, codes: own };
}

function widened(scratch: Int32Array<ArrayBuffer>, number: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(2 ** Math.ceil(Math.log2(number + 1))).fill(-1);
  wider.set(scratch);
  return wider;
}
