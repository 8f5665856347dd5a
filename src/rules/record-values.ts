import { parseIpOf } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { readName } from './domain-name.ts';
import type { RecordValue } from './rule.ts';
import { errorAt, type RuleError } from './rule-error.ts';
import { readParameter, type ServiceParameter } from './svcb-value.ts';

type ReadRecord = (value: string) => Result<RecordValue, RuleError>;

/** Parsers of record values, by type. */
export const recordReaders: ReadonlyMap<string, ReadRecord> = new Map<string, ReadRecord>([
  ['A', (value) => readAddress('V4', value)],
  ['AAAA', (value) => readAddress('V6', value)],
  ['CNAME', readNameRecord],
  ['PTR', readNameRecord],
  ['MX', readMailExchange],
  ['TXT', readText],
  ['SRV', readServiceLocation],
  ['HTTPS', readServiceBinding],
  ['SVCB', readServiceBinding],
]);

const like = (example: string, value: string): RuleError =>
  errorAt(`write the value of this record like "${example}"`, 0, value.length);

function readAddress(family: 'V4' | 'V6', value: string): Result<RecordValue, RuleError> {
  const ip = parseIpOf(family, value);
  if (!ip) return err(like(family === 'V4' ? '192.0.2.1' : '2001:db8::1', value));
  return ok({ kind: 'address', bytes: Uint8Array.from(ip.bytes) });
}

function readNameRecord(value: string): Result<RecordValue, RuleError> {
  const name = readName(value);
  return name.ok ? ok({ kind: 'name', name: name.value }) : name;
}

function readText(text: string): Result<RecordValue, RuleError> {
  return text === '' ? err(errorAt('the text of the record is missing', 0, 0)) : ok({ kind: 'text', text });
}

function readMailExchange(value: string): Result<RecordValue, RuleError> {
  const [, preference, host] = /^(\d{1,5}) +(\S+)$/.exec(value) ?? [];
  const exchange = readTarget(host);
  if (exchange === undefined || Number(preference) > 0xffff) return err(like('10 mail.example.org', value));
  return ok({ kind: 'mail exchange', preference: Number(preference), exchange });
}

function readServiceLocation(value: string): Result<RecordValue, RuleError> {
  const [, numbers = '', host] = /^((?:\d{1,5} +){3})(\S+)$/.exec(value) ?? [];
  const [priority = 0, weight = 0, port = 0] = numbers.trim().split(/ +/).map(Number);
  const target = readTarget(host);
  if (target === undefined || Math.max(priority, weight, port) > 0xffff) {
    return err(like('30 60 8080 example.org', value));
  }
  return ok({ kind: 'service location', priority, weight, port, target });
}

function readServiceBinding(value: string): Result<RecordValue, RuleError> {
  const [, priority, host, words = ''] = /^(\d{1,5}) +(\S+)((?: +\S+)*) *$/.exec(value) ?? [];
  const target = readTarget(host);
  if (target === undefined || Number(priority) > 0xffff) return err(like('1 example.org alpn=h3', value));
  const parameters: ServiceParameter[] = [];
  for (const word of words.matchAll(/\S+/g)) {
    const start = value.length - words.length + word.index;
    const parameter = readParameter(word[0]);
    if (!parameter.ok) return err(errorAt(parameter.error, start, word[0].length));
    if (priority === '0') return err(errorAt('a record with priority 0 cannot have parameters', start, word[0].length));
    if (parameters.some(({ key }) => key === parameter.value.key)) {
      return err(errorAt('duplicate parameter', start, word[0].length));
    }
    parameters.push(parameter.value);
  }
  parameters.sort((one, other) => one.key - other.key);
  return ok({ kind: 'service binding', priority: Number(priority), target, parameters });
}

/** A name, or `.`, which becomes the empty name. */
function readTarget(host: string | undefined): string | undefined {
  if (host === undefined || host === '.') return host && '';
  const name = readName(host);
  return name.ok ? name.value : undefined;
}
