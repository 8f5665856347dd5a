import { type Message, type MessageQuestion, queryFor, type ResourceRecord } from '../../dns/message.ts';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import { zoneAuthorityData } from '../../dns/record-data.ts';
import { isAtOrUnder, sameName } from '../../dns/wire-names.ts';
import { nameEnd, wireName } from '../../kit/wire-name.ts';
import { forwardTable } from './forward-table.ts';

// Zones that are local or empty. Queries for them would only leak information to upstreams (RFC 6303, 1).
const zones: readonly string[] = [
  // RFC 6761: special-use names.
  'localhost',
  'test',
  'invalid',
  // RFC 6762: multicast DNS, not for servers.
  'local',
  // RFC 7686, 9476: names outside the DNS.
  'onion',
  'alt',
  // RFC 8375, 9462, 9665: names of the local network, this resolver, its services.
  'home.arpa',
  'resolver.arpa',
  'service.arpa',
  // RFC 6303, 4.1 and 4.2: private addresses, and reserved ones.
  '10.in-addr.arpa',
  ...range(16, 31).map((number) => `${number}.172.in-addr.arpa`),
  '168.192.in-addr.arpa',
  '0.in-addr.arpa',
  '127.in-addr.arpa',
  '254.169.in-addr.arpa',
  '2.0.192.in-addr.arpa',
  '100.51.198.in-addr.arpa',
  '113.0.203.in-addr.arpa',
  '255.255.255.255.in-addr.arpa',
  // RFC 7793: shared address space of carrier-grade NAT.
  ...range(64, 127).map((number) => `${number}.100.in-addr.arpa`),
  // RFC 6303, 4.3 to 4.6: IPv6, from the unspecified address to the documentation prefix.
  `${'0.'.repeat(32)}ip6.arpa`,
  `1.${'0.'.repeat(31)}ip6.arpa`,
  'd.f.ip6.arpa',
  '8.e.f.ip6.arpa',
  '9.e.f.ip6.arpa',
  'a.e.f.ip6.arpa',
  'b.e.f.ip6.arpa',
  '8.b.d.0.1.0.0.2.ip6.arpa',
];

const name = (text: string): Uint8Array => wireName(text)!;
const localhost = name('localhost');

/** Records in these zones. Every name under `localhost` has the loopback addresses (RFC 6761, 6.3). */
const loopbackAddresses: Readonly<Record<number, Uint8Array>> = {
  [types.A]: Uint8Array.of(127, 0, 0, 1),
  [types.AAAA]: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
};
const loopbackNames = [name('1.0.0.127.in-addr.arpa'), name(`1.${'0.'.repeat(31)}ip6.arpa`)];

/** Names of all zones, in wire format. */
export const localZones: readonly Uint8Array[] = zones.map(name);

const byName = forwardTable(localZones.map((zone) => ({ domain: zone, to: zone })));

const TTL_SECONDS = 10_800;

/** The answer to a query that must not go upstream; undefined for all others. The name must be in lower case. */
export function answerLocally(question: MessageQuestion): Message | undefined {
  const zone = question.class === classes.IN ? byName.find(question.name) : undefined;
  if (!zone) return undefined;
  const answer = recordsOf(question, zone);
  const exists = answer.length > 0 || isName(question.name, zone);
  return {
    ...queryFor(question, 0),
    response: true,
    recursionAvailable: true,
    rcode: exists ? rcodes.NOERROR : rcodes.NXDOMAIN,
    answer,
    authority: answer.length > 0 ? [] : [authorityOf(zone)],
  };
}

function recordsOf(question: MessageQuestion, zone: Uint8Array): ResourceRecord[] {
  const data = dataOf(question, zone);
  return data ? [{ name: question.name, type: question.type, class: classes.IN, ttl: TTL_SECONDS, data }] : [];
}

function dataOf({ name: question, type }: MessageQuestion, zone: Uint8Array): Uint8Array | undefined {
  const isApex = sameName(question, zone);
  if (isApex && type === types.SOA) return authorityOf(zone).data;
  if (isApex && type === types.NS) return zone;
  if (type === types.PTR && loopbackNames.some((one) => sameName(one, question))) return localhost;
  return sameName(zone, localhost) ? loopbackAddresses[type] : undefined;
}

const isName = (question: Uint8Array, zone: Uint8Array): boolean =>
  sameName(zone, localhost) || sameName(question, zone) || loopbackNames.some((one) => isAtOrUnder(one, question));

const authorityOf = (zone: Uint8Array): ResourceRecord => ({
  name: zone,
  type: types.SOA,
  class: classes.IN,
  ttl: TTL_SECONDS,
  data: Uint8Array.from([...zone, ...soaTail]),
});

// SOA with the values of RFC 6303, 3; the zone name precedes it as the primary server.
const template = zoneAuthorityData({
  primary: '.',
  mailbox: 'nobody.invalid',
  serial: 1,
  refresh: 3600,
  retry: 1200,
  expire: 604_800,
  minimum: TTL_SECONDS,
})!;
const soaTail = template.subarray(nameEnd(template, 0));

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
