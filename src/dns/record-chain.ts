import { err, ok, type Result } from '../kit/result.ts';
import type { Asked, ResourceRecord } from './message.ts';
import { isAtOrUnder, sameName } from './names.ts';
import { MAX_NAME_LENGTH, types } from './numbers.ts';
import { short } from './shorts.ts';

/** The records that lead from the question to its answer, in that order, and the names on the way, the one asked for first. */
export type Chain = { readonly records: readonly ResourceRecord[]; readonly names: readonly Uint8Array[] };

const MAX_LINKS = 11;
export const MAX_SET_SIZE = 100;

// Eleven links, their signatures and one full set are fewer.
const MAX_RECORDS = 256;

/**
 * Follows aliases from the name that was asked for, over what an answer says, and leaves out what is beside the way. Each record
 * gets its name in the case in which it was asked for or pointed to, since the upstream may have been asked in another.
 */
export function followChain(asked: Asked, answer: readonly ResourceRecord[]): Result<Chain, string> {
  if (answer.length > MAX_RECORDS) return err('it has more records than any chain of aliases needs');
  const records: ResourceRecord[] = [];
  const names = [asked.name];
  for (;;) {
    const name = names.at(-1)!;
    const link = linkFrom(name, asked.type, answer);
    if (!link.ok) return link;
    if (!link.value) {
      const found = answer.filter((record) => isAnswer(record, name, asked.type));
      if (found.filter(({ type }) => type !== types.RRSIG).length > MAX_SET_SIZE)
        return err('a name has more than 100 records');
      return ok({ records: [...records, ...found.map((record) => ({ ...record, name }))], names });
    }
    const { target } = link.value;
    if (names.length > MAX_LINKS) return err('its chain of aliases has more than 11 links');
    if (names.some((before) => sameName(before, target))) return err('its chain of aliases is a circle');
    records.push(...link.value.records);
    names.push(target);
  }
}

const isAnswer = (record: ResourceRecord, name: Uint8Array, type: number): boolean =>
  (record.type === type || type === types.ANY || signs(record, type)) && sameName(record.name, name);

/** Whether a record is the signature over those of a type. */
export const signs = (record: ResourceRecord, type: number): boolean =>
  record.type === types.RRSIG && record.data.length > 1 && short(record.data, 0) === type;

type Link = { readonly target: Uint8Array; readonly records: readonly ResourceRecord[] };

function linkFrom(name: Uint8Array, type: number, answer: readonly ResourceRecord[]): Result<Link | undefined, string> {
  if (type === types.CNAME || type === types.ANY) return ok(undefined);
  const cname = answer.find((record) => record.type === types.CNAME && sameName(record.name, name));
  const dname = answer.find(
    (record) => record.type === types.DNAME && record.name.length < name.length && isAtOrUnder(name, record.name),
  );
  if (dname) return dnameLink(name, dname, cname, answer);
  return ok(cname && { target: cname.data, records: withSignatures(cname, name, answer) });
}

/** An alias for all names below one. Clients that do not know it are told the alias of the name (RFC 6672, 3.1), by us if need be. */
function dnameLink(
  name: Uint8Array,
  dname: ResourceRecord,
  cname: ResourceRecord | undefined,
  answer: readonly ResourceRecord[],
): Result<Link, string> {
  const below = name.length - dname.name.length;
  if (below + dname.data.length > MAX_NAME_LENGTH) return err('an alias makes its name too long');
  const target = Uint8Array.from([...name.subarray(0, below), ...dname.data]);
  if (cname && !sameName(cname.data, target)) return err('an alias is not the one that its DNAME makes');
  const alias = { name, type: types.CNAME, class: dname.class, ttl: cname?.ttl ?? dname.ttl, data: target };
  return ok({ target, records: [...withSignatures(dname, name.slice(below), answer), alias] });
}

/** A record under the given spelling of its name, and the signatures over it. */
const withSignatures = (
  signed: ResourceRecord,
  name: Uint8Array,
  answer: readonly ResourceRecord[],
): readonly ResourceRecord[] =>
  [signed, ...answer.filter((record) => signs(record, signed.type) && sameName(record.name, name))].map((record) => ({
    ...record,
    name,
  }));
