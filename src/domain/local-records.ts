import { formatIp, parseIp, parseIpOf } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { parseDnsName } from './dns-name.ts';
import type { DomainError, FieldError } from './domain-error.ts';
import type { AccountId, ProfileId } from './ids.ts';
import { reverseName } from './reverse-name.ts';

export const localRecordTypes = ['A', 'AAAA', 'CNAME', 'PTR', 'TXT', 'SRV'] as const;
export type LocalRecordType = (typeof localRecordTypes)[number];

/** A DNS record that the resolver answers to the clients of an account. All text is in canonical form. */
export type LocalRecord = {
  readonly id: string;
  readonly account: AccountId;
  /** The DNS server that has the record; undefined for all DNS servers of the account. */
  readonly profile: ProfileId | undefined;
  /** A wildcard begins with `*.`. */
  readonly name: string;
  readonly type: LocalRecordType;
  readonly value: string;
  readonly ttlSeconds: number | undefined;
};

export type LocalRecordInput = {
  readonly profile: string | undefined;
  readonly name: string;
  readonly type: LocalRecordType;
  readonly value: string;
  readonly ttlSeconds: number | undefined;
};

type Content = Omit<LocalRecord, 'id' | 'account'>;

export const MAX_LOCAL_RECORDS = 10_000;
export const MAX_RECORD_TTL = 604_800;
const MAX_TEXT_BYTES = 1024;
const WILDCARD = '*.';

const canonical: Readonly<
  Record<LocalRecordType, { readonly read: (text: string) => string | undefined; readonly must: string }>
> = {
  A: { read: (text) => addressOf('V4', text), must: 'must be an IPv4 address such as 192.168.1.10' },
  AAAA: { read: (text) => addressOf('V6', text), must: 'must be an IPv6 address such as fd00::10' },
  CNAME: { read: parseDnsName, must: 'must be a domain name such as nas.home.arpa' },
  PTR: { read: parseDnsName, must: 'must be a domain name such as nas.home.arpa' },
  TXT: { read: textValue, must: `must be text of 1 to ${MAX_TEXT_BYTES} bytes` },
  SRV: { read: serviceValue, must: 'must be priority, weight, port and target, as in "0 5 5060 sip.home.arpa"' },
};

function addressOf(family: 'V4' | 'V6', text: string): string | undefined {
  const ip = parseIpOf(family, text.trim());
  return ip && formatIp(ip);
}

function textValue(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text).length;
  return bytes > 0 && bytes <= MAX_TEXT_BYTES && text.isWellFormed() && !text.includes('\0') ? text : undefined;
}

function serviceValue(text: string): string | undefined {
  const [priority, weight, port, target = '', ...rest] = text.trim().split(/\s+/);
  const numbers = [priority, weight, port].map((word) => (/^\d{1,5}$/.test(word ?? '') ? Number(word) : Number.NaN));
  const name = target === '.' ? '.' : parseDnsName(target);
  if (name === undefined || rest.length > 0 || !numbers.every((number) => number <= 65_535)) return undefined;
  return [...numbers, name].join(' ');
}

/** The owner of a PTR record may be given as the address that it belongs to. */
function recordName(text: string, type: LocalRecordType): string | undefined {
  const trimmed = text.trim();
  const ip = type === 'PTR' ? parseIp(trimmed) : undefined;
  if (ip) return reverseName(ip);
  const isWildcard = trimmed.startsWith(WILDCARD);
  const name = parseDnsName(isWildcard ? trimmed.slice(WILDCARD.length) : trimmed);
  return name === undefined ? undefined : isWildcard ? `${WILDCARD}${name}` : name;
}

/** The record in canonical form, or every error with its path. */
function parseLocalRecord(
  { profile, name: nameText, type, value: valueText, ttlSeconds }: LocalRecordInput,
  profiles: readonly ProfileId[],
): Result<Content, DomainError> {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, kind: 'wrong value', message });
  const existingProfile = profiles.find((id) => id === profile);
  if (profile !== undefined && existingProfile === undefined)
    wrong('dns_server_id', 'must be the id of a DNS server of this account');
  const name = recordName(nameText, type);
  if (name === undefined)
    wrong(
      'name',
      type === 'PTR'
        ? 'must be an IP address or a domain name such as 10.1.168.192.in-addr.arpa'
        : 'must be a domain name such as nas.home.arpa or *.home.arpa',
    );
  const value = canonical[type].read(valueText);
  if (value === undefined) wrong('value', canonical[type].must);
  if (type === 'CNAME' && name !== undefined && name === value) wrong('value', 'must not be the name itself');
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds >= 0 && ttlSeconds <= MAX_RECORD_TTL))
    wrong('ttl', `must be a number of seconds from 0 to ${MAX_RECORD_TTL}`);
  if (errors.length > 0 || name === undefined || value === undefined) return err({ kind: 'invalid', errors });
  return ok({ profile: existingProfile, name, type, value, ttlSeconds });
}

/** Records of one account by DNS server and name, to find conflicts. */
export function recordIndex(records: readonly LocalRecord[]) {
  const keyOf = ({ profile, name }: Pick<LocalRecord, 'profile' | 'name'>): string => `${profile ?? ''} ${name}`;
  const byName = Map.groupBy(records, keyOf);
  return {
    /** A name with a CNAME record has no other records (RFC 1034, 3.6.2). */
    conflictOf(content: Content): 'duplicate' | 'alias' | undefined {
      const same = byName.get(keyOf(content)) ?? [];
      if (same.some(({ type, value }) => type === content.type && value === content.value)) return 'duplicate';
      const isAlias = content.type === 'CNAME' ? same.length > 0 : same.some(({ type }) => type === 'CNAME');
      return isAlias ? 'alias' : undefined;
    },
    add(record: LocalRecord): void {
      const key = keyOf(record);
      byName.set(key, [...(byName.get(key) ?? []), record]);
    },
  };
}

const conflictErrors: Readonly<Record<'duplicate' | 'alias', FieldError>> = {
  duplicate: { field: 'value', kind: 'wrong value', message: 'this record already exists' },
  alias: { field: 'type', kind: 'wrong value', message: 'a name with a CNAME record cannot have other records' },
};

/** `others` are the other records of the account. */
export function checkLocalRecord(
  others: readonly LocalRecord[],
  input: LocalRecordInput,
  profiles: readonly ProfileId[],
): Result<Content, DomainError> {
  const content = parseLocalRecord(input, profiles);
  if (!content.ok) return content;
  const conflict = recordIndex(others).conflictOf(content.value);
  return conflict ? err({ kind: 'invalid', errors: [conflictErrors[conflict]] }) : content;
}

export const conflictMessage = (conflict: 'duplicate' | 'alias'): string => conflictErrors[conflict].message;
