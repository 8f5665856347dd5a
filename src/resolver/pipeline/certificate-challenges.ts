import type { ResourceRecord } from '../../dns/message.ts';
import { classes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { nameData, textData, zoneAuthorityData } from '../../dns/record-data.ts';
import { nameKey } from '../../dns/wire-names.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import { syntheticAnswer } from './synthetic-answers.ts';
import { isAtOrUnder, isName, type Suffix, suffix } from './wire-suffix.ts';

/** A TXT record that a certificate authority queries (RFC 8555, 8.4). */
export type ChallengeRecord = { readonly name: string; readonly text: string };

/** Short, so that the authority does not get an old answer from a cache. */
const TTL = 5;
const DAY = 86_400;

/** Zones that are delegated to this server for the challenges of certificate authorities. */
export const challengeZones = (zones: readonly string[]): readonly Suffix[] =>
  zones.flatMap((zone) => suffix(zone) ?? []);

export const isInChallengeZone = (
  zones: readonly Suffix[],
  bytes: Uint8Array,
  { nameAt, nameEnd }: Question,
): boolean => zoneOf(zones, bytes, nameAt, nameEnd) !== undefined;

function zoneOf(zones: readonly Suffix[], bytes: Uint8Array, at: number, end: number): Suffix | undefined {
  for (const zone of zones) if (isAtOrUnder(bytes, at, end, zone)) return zone;
  return undefined;
}

export type ChallengeAnswers = ReturnType<typeof createChallengeAnswers>;

/**
 * Authoritative answers in the delegated zones: the TXT records of pending challenges, and the SOA and NS records that resolvers need to
 * find them. `host` is the name of this server. All other names and types, including empty non-terminals, get NODATA.
 */
export function createChallengeAnswers(zones: readonly Suffix[], host: string) {
  let texts = new Map<string, readonly string[]>();
  const server = nameData(host)!;
  const authority = zoneAuthorityData({
    primary: host,
    mailbox: 'hostmaster.invalid',
    serial: 1,
    refresh: DAY,
    retry: 3600,
    expire: 7 * DAY,
    minimum: TTL,
  })!;

  const record = (name: Uint8Array, type: number, data: Uint8Array): ResourceRecord => ({
    name,
    type,
    class: classes.IN,
    ttl: TTL,
    data,
  });

  const answerOf = (zone: Suffix, name: Uint8Array, type: number): readonly ResourceRecord[] => {
    if (type === types.TXT) return (texts.get(nameKey(name)) ?? []).map((text) => record(name, type, textData(text)));
    if (!isName(name, 0, name.length, zone)) return [];
    if (type === types.SOA) return [record(name, type, authority)];
    return type === types.NS ? [record(name, type, server)] : [];
  };

  return {
    /** Replaces all records. */
    use(records: readonly ChallengeRecord[]): void {
      const byName = Object.groupBy(records, ({ name }) => nameKey(nameData(name) ?? new Uint8Array()));
      texts = new Map(Object.entries(byName).map(([name, all]) => [name, all!.map(({ text }) => text)]));
    },
    /** Undefined outside of the zones. */
    answer: (bytes: Uint8Array, question: Question): CachedAnswer | undefined => {
      const zone = zoneOf(zones, bytes, question.nameAt, question.nameEnd);
      if (!zone) return undefined;
      const answer = answerOf(zone, bytes.slice(question.nameAt, question.nameEnd), question.type);
      const soa = answer.length === 0 ? [record(zone, types.SOA, authority)] : [];
      return syntheticAnswer(bytes, question, { answer, authority: soa });
    },
  };
}
