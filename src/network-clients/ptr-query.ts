import { queryFor } from '../dns/message.ts';
import { classes, rcodes, types } from '../dns/numbers.ts';
import { readMessage } from '../dns/read-message.ts';
import { nameKey, sameName } from '../dns/wire-names.ts';
import { writeMessage } from '../dns/write-message.ts';
import { reverseName } from '../domain/reverse-name.ts';
import type { IpAddress } from '../kit/ip-address.ts';
import { nameText, wireName } from '../kit/wire-name.ts';
import { parseHostName } from './host-name.ts';

const MAX_NAMES = 4;
// Multicast DNS uses the top bit of the class (RFC 6762, 10.2).
const CLASS_BITS = 0x7fff;

/** A query for the names of an address. */
export const ptrQuery = (address: IpAddress, id: number): Uint8Array =>
  writeMessage(queryFor({ name: wireName(reverseName(address))!, type: types.PTR, class: classes.IN }, id));

/** Host names in a reply to this query; undefined if it is not one. Names that are not host names are left out. */
export function ptrNames(bytes: Uint8Array, address: IpAddress, id: number): readonly string[] | undefined {
  const reply = readMessage(bytes);
  const ptrName = wireName(reverseName(address))!;
  if (!reply.ok || !reply.value.response || reply.value.id !== id) return undefined;
  const { questions, answer, rcode } = reply.value;
  if (questions.length !== 1 || !sameName(questions[0]!.name, ptrName) || questions[0]!.type !== types.PTR)
    return undefined;
  if (rcode !== rcodes.NOERROR) return [];
  const found = answer
    .filter(
      (record) =>
        record.type === types.PTR && (record.class & CLASS_BITS) === classes.IN && sameName(record.name, ptrName),
    )
    // Ignores a name that is the queried one: some routers repeat the question if they have no name.
    .filter(({ data }) => nameKey(data) !== nameKey(ptrName))
    .map(({ data }) => parseHostName(nameText(data, 0)));
  return [...new Set(found.filter((name) => name !== undefined))].slice(0, MAX_NAMES);
}
