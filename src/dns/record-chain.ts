import { err, ok, type Result } from '../kit/result.ts';
import { readUint16 } from './bytes.ts';
import type { MessageQuestion, ResourceRecord } from './message.ts';
import { MAX_NAME_LENGTH, types } from './numbers.ts';
import { isAtOrUnder, sameName } from './wire-names.ts';

/** The CNAME chain and final records in order, and the names along it, starting with the query name. */
export type Chain = { readonly records: readonly ResourceRecord[]; readonly names: readonly Uint8Array[] };

const MAX_LINKS = 11;
export const MAX_SET_SIZE = 100;

// Above eleven links, their signatures and one full RRset.
const MAX_RECORDS = 256;

/**
 * Follows the aliases from the query name and drops records outside the chain. Owner names get the case of the query or of the
 * alias target, because the upstream query used randomised case.
 */
export function followChain(question: MessageQuestion, answer: readonly ResourceRecord[]): Result<Chain, string> {
  if (answer.length > MAX_RECORDS) return err('it has more than 256 answer records');
  const records: ResourceRecord[] = [];
  const names = [question.name];
  for (;;) {
    const name = names.at(-1)!;
    const link = linkFrom(name, question.type, answer);
    if (!link.ok) return link;
    if (!link.value) {
      const found = answer.filter((record) => isAnswer(record, name, question.type));
      if (found.filter(({ type }) => type !== types.RRSIG).length > MAX_SET_SIZE)
        return err('a name has more than 100 records');
      return ok({ records: [...records, ...found.map((record) => ({ ...record, name }))], names });
    }
    const { target } = link.value;
    if (names.length > MAX_LINKS) return err('its CNAME chain has more than 11 links');
    if (names.some((before) => sameName(before, target))) return err('its CNAME chain is a loop');
    records.push(...link.value.records);
    names.push(target);
  }
}

const isAnswer = (record: ResourceRecord, name: Uint8Array, type: number): boolean =>
  (record.type === type || type === types.ANY || signs(record, type)) && sameName(record.name, name);

/** Whether a record is an RRSIG that covers the type. */
export const signs = (record: ResourceRecord, type: number): boolean =>
  record.type === types.RRSIG && record.data.length > 1 && readUint16(record.data, 0) === type;

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

/** DNAME. Clients that do not support it need a synthesised CNAME (RFC 6672, 3.1), which is added if missing. */
function dnameLink(
  name: Uint8Array,
  dname: ResourceRecord,
  cname: ResourceRecord | undefined,
  answer: readonly ResourceRecord[],
): Result<Link, string> {
  const below = name.length - dname.name.length;
  if (below + dname.data.length > MAX_NAME_LENGTH) return err('an alias makes the name too long');
  const target = Uint8Array.from([...name.subarray(0, below), ...dname.data]);
  if (cname && !sameName(cname.data, target)) return err('its CNAME does not match its DNAME');
  const alias = { name, type: types.CNAME, class: dname.class, ttl: cname?.ttl ?? dname.ttl, data: target };
  return ok({ target, records: [...withSignatures(dname, name.slice(below), answer), alias] });
}

/** A record with the given case of its owner name, and its signatures. */
const withSignatures = (
  signed: ResourceRecord,
  name: Uint8Array,
  answer: readonly ResourceRecord[],
): readonly ResourceRecord[] =>
  [signed, ...answer.filter((record) => signs(record, signed.type) && sameName(record.name, name))].map((record) => ({
    ...record,
    name,
  }));
