import type { Message, ResourceRecord } from '../../src/dns/message.ts';
import { classes, rcodes, types } from '../../src/dns/numbers.ts';
import {
  mailExchangeData,
  serviceBindingData,
  serviceLocationData,
  textData,
  zoneAuthorityData,
} from '../../src/dns/record-data.ts';
import { name } from './resolver/upstream/messages.ts';
import type { Dice } from './resolver-mutations.ts';

const TTL = 3600;
const unknownTypes = [11, 99, 260, 4711, 65_280, 65_534];
const recordTypes: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  DNSKEY: 48,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
};
const zoneTimes = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: 300 };
const zoneData = zoneAuthorityData({ primary: 'ns.example.com', mailbox: 'host.example.com', ...zoneTimes })!;

/** Data of each type, in as many variants as there are records wanted. */
function dataOf(type: number, variant: number): Uint8Array {
  const host = `host${variant}.example.com`;
  switch (type) {
    case types.A:
      return Uint8Array.of(198, 51, 100, variant);
    case types.AAAA:
      return Uint8Array.of(0x2a, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, variant);
    case types.NS:
    case types.CNAME:
    case types.PTR:
      return name(host);
    case types.MX:
      return mailExchangeData(10 + variant, host)!;
    case types.SOA:
      return zoneData;
    case types.SRV:
      return serviceLocationData(1, variant, 443, host)!;
    case types.SVCB:
    case types.HTTPS:
      return serviceBindingData(variant, host, [{ key: 1, value: Uint8Array.of(2, 0x68, 0x32) }])!;
    case types.TXT:
      return textData(`text ${variant}`);
    case recordTypes['HINFO']:
      return Uint8Array.of(1, 0x61, 1, 0x62);
    case recordTypes['NAPTR']:
      return Uint8Array.of(0, 10, 0, variant, 1, 0x73, 3, 0x73, 0x69, 0x70, 0, ...name(host));
    case recordTypes['CAA']:
      return Uint8Array.of(0, 5, 0x69, 0x73, 0x73, 0x75, 0x65, 0x3b, variant);
    default:
      return Uint8Array.of(0, variant, 8, 2, 0xc0, 0x0c, 1, 2, 3, 4);
  }
}

const owned = (owner: Uint8Array, type: number, data: Uint8Array): ResourceRecord => ({
  name: owner,
  type,
  class: classes.IN,
  ttl: TTL,
  data,
});
const zone = owned(name('example.com'), types.SOA, zoneData);
const some = (owner: Uint8Array, type: number, count: number): ResourceRecord[] =>
  Array.from({ length: count }, (_, i) => owned(owner, type, dataOf(type, i + 1)));

/** The answer depends only on the type and the first two letters of the name. */
export function scripted(owner: Uint8Array, type: number): Partial<Message> {
  const kind = String.fromCharCode(owner[1] ?? 0).toLowerCase() + String.fromCharCode(owner[2] ?? 0).toLowerCase();
  const alias = (target: string): ResourceRecord => owned(owner, types.CNAME, name(target));
  const isAliasWanted = type === types.CNAME;
  if (kind === 'nx') return { rcode: rcodes.NXDOMAIN, authority: [zone] };
  if (kind === 'nd') return { authority: [zone] };
  if (kind === 'sf') return { rcode: rcodes.SERVFAIL };
  if (kind === 'al') {
    const further = isAliasWanted ? [] : some(name('host1.example.com'), type, 1);
    return { answer: [alias('host1.example.com'), ...further] };
  }
  if (kind === 'an') {
    const further = isAliasWanted ? {} : { rcode: rcodes.NXDOMAIN, authority: [zone] };
    return { answer: [alias('nxt.example.com')], ...further };
  }
  if (kind === 'ad') {
    const further = isAliasWanted ? {} : { authority: [zone] };
    return { answer: [alias('ndt.example.com')], ...further };
  }
  // A name with a CNAME has no other records.
  if (isAliasWanted) return { authority: [zone] };
  if (kind === 'mu' && type !== types.SOA) return { answer: some(owner, type, 4) };
  if (kind === 'bi' && type === types.TXT) {
    const long = (i: number): Uint8Array => textData(`${i}`.padEnd(200, 'x'));
    return { answer: Array.from({ length: 12 }, (_, i) => owned(owner, type, long(i))) };
  }
  return { answer: some(owner, type, 1) };
}

export type Tried = {
  readonly id: number;
  readonly name: Uint8Array;
  readonly type: number;
  readonly class: number;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly authenticData: boolean;
  readonly edns: { readonly udpSize: number; readonly dnssecOk: boolean } | undefined;
};

const beginnings = ['nx', 'nd', 'al', 'an', 'ad', 'mu', 'bi', 'ok', 'www', 'host', 'OK', 'sf'];
const ends = ['example.com', 'sub.example.com', 'a.b.c.d.example.com', 'EXAMPLE.com', 'other.example.com'];
const oddNames = [
  '.',
  'com',
  'ok\\.dot.example.com',
  'ok\\000nul.example.com',
  'ok\\255\\254.example.com',
  'ok\\032space.example.com',
  '_ok._tcp.example.com',
  `ok${'x'.repeat(61)}.example.com`,
  `${`${'x'.repeat(63)}.`.repeat(3)}${'y'.repeat(61)}`,
  `${'o.'.repeat(126)}o`,
  '7.100.0.9.in-addr.arpa',
  `1.${'0.'.repeat(27)}0.0.a.2.ip6.arpa`,
  'xn--ok-eka.example.com',
  '*.example.com',
];
/** Names that mean something here, or nowhere (RFC 6761 and others). */
export const localNames = [
  'localhost',
  'ok.localhost',
  'ok.onion',
  'ok.test',
  'ok.invalid',
  '1.0.0.127.in-addr.arpa',
  '1.0.0.10.in-addr.arpa',
  'ok.home.arpa',
  'ok.local',
  'ok.alt',
];

const pick = <T>(from: readonly T[], roll: Dice): T => from[roll(from.length)]!;
const nameFor = (roll: Dice): string => {
  const kind = roll(20);
  if (kind === 0) return pick(localNames, roll);
  if (kind <= 2) return pick(oddNames, roll);
  return `${pick(beginnings, roll)}${roll(60)}.${pick(ends, roll)}`;
};
const typeFor = (roll: Dice): number => {
  const kind = roll(20);
  if (kind === 0) return types.ANY;
  if (kind <= 2) return pick(unknownTypes, roll);
  return pick(Object.values(recordTypes), roll);
};

export const randomQuery = (id: number, roll: Dice): Tried => ({
  id,
  name: name(nameFor(roll)),
  type: typeFor(roll),
  class: roll(60) === 0 ? pick([3, 4, 255], roll) : classes.IN,
  recursionDesired: roll(40) !== 0,
  checkingDisabled: roll(4) === 0,
  authenticData: roll(4) === 0,
  edns: roll(3) === 0 ? undefined : { udpSize: pick([512, 1232, 4096, 0], roll), dnssecOk: roll(3) === 0 },
});
