import type { Companies } from '../../domain/catalogue/company.ts';
import { unknownCompany } from '../../domain/catalogue/company.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { NOTHING, type RingRecord } from '../../resolver/records/record-ring.ts';
import type { PackedRecords } from '../../store/log/log-over.ts';
import type { Naming } from '../dns/thread-messages.ts';
import type { Addresses } from './clients.ts';
import { createNames, MAX_NAMES } from './names.ts';
import {
  addRow,
  cell,
  flagsOf,
  hasRoomFor,
  newPendingRows,
  type PendingRows,
  rowPacker,
  ruleCell,
} from './pending-rows.ts';
import type { RuleTexts } from './rule-texts.ts';

type Who = Extract<Naming, { kind: 'who' }> & { readonly pending: PendingRows };
const MAX_RULES = 32_768;

export type CollectDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: RuleTexts;
  readonly addresses: Addresses;
  readonly packed: (records: PackedRecords) => void;
  /** Told of rows of accounts that somebody watches, as they come. */
  readonly seen: (account: string, record: () => QueryRecord) => void;
};

/** Whether a record was taken, and if not, why. */
export type Taken = 'taken' | 'unknown' | NotKept;
type NotKept = 'cleared' | 'switched off';

const kept = { until: Number.NEGATIVE_INFINITY, why: 'cleared' } as const;

/** Turns what comes out of rings into rows of accounts, by columns; nothing is made for each row but its numbers. */
export function createCollector({ companies, rules, addresses, packed, seen }: CollectDeps) {
  const whos: (Who | undefined)[] = [];
  const pending = new Map<string, PendingRows>();
  const watched = new Set<string>();
  // What was answered until then is not to be taken any more, and why.
  const notKept = new Map<string, { readonly until: number; readonly why: NotKept }>();
  const names = createNames();
  const companyOfName: ReturnType<Companies['companyOf']>[] = [];
  const texts: (string | undefined)[] = [undefined];
  const numbers = new Map<string, number>();
  // The rule that each name met last: most names meet the same one every time.
  const [lastList, lastSlot, lastRule] = [
    new Uint32Array(MAX_NAMES),
    new Uint32Array(MAX_NAMES),
    new Uint32Array(MAX_NAMES),
  ];
  const decoder = new TextDecoder();
  let rows = 0;

  const packer = rowPacker({
    domain: names.domain,
    company: (name) => (companyOfName[name] ??= companies.companyOf(names.domain(name)) ?? unknownCompany),
    device: (who) => whos[who]!.device,
    dnsServer: (who) => whos[who]!.dnsServer,
    listId: (list) => (list === 0 ? undefined : rules.listId(list)),
    rule: (rule) => texts[rule],
    client: addresses.facts,
    country: addresses.country,
  });

  const pack = (each: PendingRows): void => {
    if (each.rows === 0) return;
    rows -= each.rows;
    packed(packer.pack(each));
    each.rows = 0;
  };
  const packAll = (): void => {
    for (const each of pending.values()) pack(each);
  };
  /** Numbers are given anew: what was known by the old ones is packed first. */
  const forgetNumbers = (): void => {
    packAll();
    names.clear();
    companyOfName.length = 0;
    texts.length = 1;
    numbers.clear();
    lastList.fill(0);
    addresses.clear();
  };

  const textNumber = (text: string | undefined): number => {
    if (text === undefined) return 0;
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = texts.push(text) - 1;
    numbers.set(text, number);
    return number;
  };
  const ruleOf = (name: number, record: RingRecord): number => {
    const { list, slot, ruleLength } = record;
    if (ruleLength > 0) return textNumber(decoder.decode(record.rule.slice(0, ruleLength)).replaceAll('\0', ''));
    if (slot === NOTHING || list === NOTHING) return 0;
    if (lastList[name] === list && lastSlot[name] === slot) return lastRule[name]!;
    const rule = textNumber(rules.rule(list, slot, record.name));
    lastList[name] = list;
    lastSlot[name] = slot;
    lastRule[name] = rule;
    return rule;
  };

  const pendingOf = (account: string): PendingRows => {
    const known = pending.get(account) ?? newPendingRows(account);
    pending.set(account, known);
    return known;
  };

  return {
    name(naming: Extract<Naming, { kind: 'who' }>): void {
      whos[naming.who] = { ...naming, pending: pendingOf(naming.account) };
    },
    take(record: RingRecord): Taken {
      const who = whos[record.who];
      if (!who) return 'unknown';
      const { time } = record;
      const own = who.pending;
      if (notKept.size > 0) {
        const { until, why } = notKept.get(own.account) ?? kept;
        if (time <= until) return why;
      }
      let name = names.of(record.name, record.nameLength);
      if (name === -1 || texts.length > MAX_RULES || addresses.isFull()) {
        forgetNumbers();
        name = names.of(record.name, record.nameLength);
      }
      if (!hasRoomFor(own, time)) pack(own);
      const rule =
        record.list === NOTHING && record.ruleLength === 0 ? 0 : ruleCell(ruleOf(name, record), record.source);
      const at = addRow(own, time);
      const { cells } = own;
      cells[at + cell.name] = name;
      cells[at + cell.who] = record.who;
      cells[at + cell.list] = record.list === NOTHING ? 0 : record.list;
      cells[at + cell.rule] = rule;
      cells[at + cell.type] = record.type;
      cells[at + cell.flags] = flagsOf(record.rcode, record.protocol, record.status, record.source, record.isDnssec);
      cells[at + cell.client] = addresses.client(record.client, record.clientLength, who.ipLog);
      cells[at + cell.answer] = addresses.answer(record.address, record.addressLength, record.rcode);
      rows += 1;
      if (watched.size > 0 && watched.has(own.account)) seen(own.account, () => packer.record(own, own.rows - 1));
      return 'taken';
    },
    packAll,
    cleared: (account: string, until: number): void => {
      if (notKept.get(account)?.why !== 'switched off') notKept.set(account, { until, why: 'cleared' });
    },
    /** Gives how many rows of it were waiting, which are gone. */
    logging({ account, isKept, time }: Extract<Naming, { kind: 'logging' }>): number {
      notKept.set(account, { until: isKept ? time - 1 : Number.POSITIVE_INFINITY, why: 'switched off' });
      const own = pending.get(account);
      if (isKept || !own) return 0;
      const gone = own.rows;
      rows -= gone;
      own.rows = 0;
      return gone;
    },
    forgetCleared: (before: number): void => {
      for (const [account, { until }] of notKept) if (until < before) notKept.delete(account);
    },
    watch: (account: string, isWatched: boolean): void => {
      if (isWatched) watched.add(account);
      else watched.delete(account);
    },
    rows: (): number => rows,
  };
}
