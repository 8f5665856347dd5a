import { typeNumber } from '../kit/dns-numbers.ts';
import { parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { readName } from './domain-name.ts';
import { type Item, itemError, listItems, readItems } from './list-value.ts';
import { asciiLowerCase } from './punycode.ts';
import type { ClientLimit, ClientMatch, NameLimit, TypeLimit } from './rule.ts';
import type { RuleError } from './rule-error.ts';

const MAX_ASN = 0xffff_ffff;

/** `$dnstype=A|AAAA`, or `~A|~AAAA` for all others. If there are both kinds, only the types without `~` are used, as in AdGuard. */
export function readTypeLimit(value: string): Result<TypeLimit, RuleError> {
  const items = listItems(value);
  if (!items.ok) return items;
  const types = readItems(items.value, readType);
  if (!types.ok) return types;
  const typesThat = (negated: boolean): readonly number[] =>
    types.value.filter((_, nth) => items.value[nth]!.negated === negated);
  const only = typesThat(false);
  return ok(
    only.length > 0 ? { negated: false, types: new Set(only) } : { negated: true, types: new Set(typesThat(true)) },
  );
}

function readType(text: string): Result<number, string> {
  const type = typeNumber(text.toUpperCase());
  return type === undefined ? err(`"${text}" is not a record type: write a name such as AAAA, or TYPE28`) : ok(type);
}

/** `$client=name|'a longer name'|10.0.0.0/8|~10.1.2.3`. */
export const readClientLimit = (value: string): Result<ClientLimit, RuleError> => readParted(value, readClient);

function readClient(text: string): Result<ClientMatch, string> {
  const [address = '', prefix, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return ok({ kind: 'name', name: asciiLowerCase(text) });
  const bits = ip.bytes.length * 8;
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)) {
    return err(`the prefix length after "/" must be 0 to ${bits}`);
  }
  const prefixLength = prefix === undefined ? bits : Number(prefix);
  return ok({ kind: 'network', address: Uint8Array.from(ip.bytes, keepPrefix(prefixLength)), prefixLength });
}

/** Bits after the prefix are ignored. */
const keepPrefix = (prefixLength: number) => (byte: number, index: number) =>
  byte & (0xff << Math.min(Math.max(8 * (index + 1) - prefixLength, 0), 8));

/** `$ctag=device_phone|~device_tv`. */
export const readTagLimit = (value: string): Result<NameLimit, RuleError> =>
  asSets(
    readParted(value, (text) =>
      /^\w+$/.test(text) ? ok(text.toLowerCase()) : err('a tag can only contain letters, digits and "_"'),
    ),
  );

/** `$respgeo=US|~DE|AS15169`. */
export const readLocationLimit = (value: string): Result<NameLimit, RuleError> =>
  asSets(readParted(value, readLocation));

function readLocation(text: string): Result<string, string> {
  const location = text.toUpperCase();
  const isNetwork = /^AS[1-9]\d{0,9}$/.test(location) && Number(location.slice(2)) <= MAX_ASN;
  return isNetwork || /^[A-Z]{2}$/.test(location)
    ? ok(location)
    : err(`"${text}" is neither a country code such as DE nor an autonomous system such as AS15169`);
}

/** `$denyallow=example.com|example.org`. */
export function readDenyallow(value: string): Result<readonly string[], RuleError> {
  const items = listItems(value);
  if (!items.ok) return items;
  const negated = items.value.find((item) => item.negated);
  if (negated) return err(itemError('a name in denyallow cannot have "~": it is already an exception', negated));
  const names = readItems(items.value, readName);
  return names.ok ? ok([...new Set(names.value)]) : names;
}

type Parted<T> = { readonly only: readonly T[]; readonly except: readonly T[] };

function readParted<T>(value: string, read: (text: string) => Result<T, string>): Result<Parted<T>, RuleError> {
  const items = listItems(value);
  if (!items.ok) return items;
  const values = readItems(items.value, read);
  if (!values.ok) return values;
  const side = (negated: boolean): readonly T[] =>
    values.value.filter((_, nth) => (items.value[nth] as Item).negated === negated);
  return ok({ only: side(false), except: side(true) });
}

const asSets = (parted: Result<Parted<string>, RuleError>): Result<NameLimit, RuleError> =>
  parted.ok ? ok({ only: new Set(parted.value.only), except: new Set(parted.value.except) }) : parted;
