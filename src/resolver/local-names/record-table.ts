import { types } from '../../dns/numbers.ts';
import { nameData, serviceLocationData, textData } from '../../dns/record-data.ts';
import type { LocalRecord, LocalRecordType } from '../../domain/local-records.ts';
import { reverseName } from '../../domain/reverse-name.ts';
import { parseIp } from '../../kit/ip-address.ts';
import { wireName } from '../../kit/wire-name.ts';
import { byteKey } from '../upstream/byte-key.ts';

/** The part of a record that the resolver needs. */
export type RecordSource = Pick<LocalRecord, 'name' | 'type' | 'value' | 'ttlSeconds'>;

export type LocalData = {
  readonly type: number;
  readonly ttl: number;
  readonly data: Uint8Array;
  readonly value: string;
};

/** The records of one name, or of all names that a wildcard matches. */
export type LocalEntry = { readonly name: string; readonly records: readonly LocalData[] };

/** Records by the wire format of their names, as `byteKey` writes it. */
export type RecordTable = {
  readonly exact: ReadonlyMap<string, LocalEntry>;
  /** By the domain after `*.`. */
  readonly wildcards: ReadonlyMap<string, LocalEntry>;
  /** PTR records that follow from A and AAAA records. */
  readonly pointers: ReadonlyMap<string, LocalEntry>;
};

const DEFAULT_TTL = 60;
const WILDCARD = '*.';

export function compileRecords(records: readonly RecordSource[]): RecordTable {
  const exact = new Map<string, { name: string; records: LocalData[] }>();
  const wildcards = new Map<string, { name: string; records: LocalData[] }>();
  const pointers = new Map<string, LocalEntry>();
  for (const record of records) {
    const isWildcard = record.name.startsWith(WILDCARD);
    const owner = wireName(isWildcard ? record.name.slice(WILDCARD.length) : record.name);
    const compiled = compileRecord(record);
    if (!owner || !compiled) continue;
    const map = isWildcard ? wildcards : exact;
    const entry = map.get(byteKey(owner)) ?? { name: record.name, records: [] };
    entry.records.push(compiled);
    map.set(byteKey(owner), entry);
    if (!isWildcard) addPointer(pointers, record, compiled.ttl);
  }
  return { exact, wildcards, pointers };
}

function compileRecord({ type, value, ttlSeconds }: RecordSource): LocalData | undefined {
  const data = dataOf[type](value);
  return data && { type: types[type], ttl: ttlSeconds ?? DEFAULT_TTL, data, value };
}

const dataOf: Readonly<Record<LocalRecordType, (value: string) => Uint8Array | undefined>> = {
  A: addressData,
  AAAA: addressData,
  CNAME: nameData,
  PTR: nameData,
  TXT: textData,
  SRV: (value) => {
    const [priority, weight, port, target] = value.split(' ');
    return serviceLocationData(Number(priority), Number(weight), Number(port), target ?? '');
  },
};

function addressData(value: string): Uint8Array | undefined {
  const ip = parseIp(value);
  return ip && Uint8Array.from(ip.bytes);
}

/** If an address has several names, uses the first with more than one label. */
function addPointer(pointers: Map<string, LocalEntry>, { name, type, value }: RecordSource, ttl: number): void {
  const ip = type === 'A' || type === 'AAAA' ? parseIp(value) : undefined;
  const data = ip && wireName(name);
  if (!ip || !data) return;
  const owner = reverseName(ip);
  const key = byteKey(wireName(owner)!);
  const before = pointers.get(key);
  if (before && (before.records[0]!.value.includes('.') || !name.includes('.'))) return;
  pointers.set(key, { name: owner, records: [{ type: types.PTR, ttl, data, value: name }] });
}

/** The entry for a name in lower case. Exact names precede wildcards; earlier tables precede later ones. */
export function findEntry(tables: readonly RecordTable[], name: Uint8Array): LocalEntry | undefined {
  const key = byteKey(name);
  for (const { exact } of tables) if (exact.has(key)) return exact.get(key);
  for (const { pointers } of tables) if (pointers.has(key)) return pointers.get(key);
  if (tables.every(({ wildcards }) => wildcards.size === 0)) return undefined;
  for (let at = name[0]! + 1; at < name.length - 1; at += name[at]! + 1) {
    const domain = byteKey(name, at);
    for (const { wildcards } of tables) if (wildcards.has(domain)) return wildcards.get(domain);
  }
  return undefined;
}
