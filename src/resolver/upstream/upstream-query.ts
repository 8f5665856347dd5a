import { queryFor } from '../../dns/message.ts';
import { OUR_UDP_SIZE, optionCodes } from '../../dns/numbers.ts';
import { nameKey } from '../../dns/wire-names.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { foldByte } from '../../kit/fold-byte.ts';

/** A query to an upstream. */
export type UpstreamQuestion = {
  /** Uncompressed wire format. */
  readonly name: Uint8Array;
  readonly type: number;
  readonly class: number;
  readonly dnssecOk: boolean;
  readonly checkingDisabled: boolean;
  /** Data of the client subnet option, if it may be sent (RFC 7871). */
  readonly clientSubnet?: Uint8Array;
  readonly replied?: Replied;
};

/** A query that a UDP thread has sent to an upstream. */
export type Replied = {
  /** `number` of the member. */
  readonly upstream: number;
  /** A reply that the thread could not use, with the case of the question; absent on timeout. */
  readonly reply?: Uint8Array;
};

/** Queries are padded to a multiple of this, so that most of them have the same length (RFC 8467, 4.1). */
export const PADDED_TO = 128;

export function queryBytes(
  question: UpstreamQuestion,
  how: {
    readonly id: number;
    readonly edns: boolean;
    readonly padded?: boolean;
    /** Requests the AD bit (RFC 6840, 5.7). */
    readonly authenticData?: boolean;
    /** Data of the cookie option (RFC 7873). */
    readonly cookie?: Uint8Array;
  },
): Uint8Array {
  const { dnssecOk, checkingDisabled, clientSubnet } = question;
  const options = [
    ...(clientSubnet ? [{ code: optionCodes.clientSubnet, data: clientSubnet }] : []),
    ...(how.cookie ? [{ code: optionCodes.cookie, data: how.cookie }] : []),
  ];
  const edns = how.edns ? { udpSize: OUR_UDP_SIZE, version: 0, dnssecOk, options } : undefined;
  const query = { ...queryFor(question, how.id, edns), checkingDisabled, authenticData: how.authenticData ?? false };
  return writeMessage(query, how.padded ? { padTo: PADDED_TO } : {});
}

/** The name in lower case: ASCII letters only (RFC 4343). */
export const foldedName = (name: Uint8Array): Uint8Array => name.map((byte) => foldByte(byte));

/** Equal for queries that have the same answer, and only for those. */
export function questionKey({
  name,
  type,
  class: dnsClass,
  dnssecOk,
  checkingDisabled,
  clientSubnet,
}: UpstreamQuestion): string {
  const flags = (dnssecOk ? 1 : 0) + (checkingDisabled ? 2 : 0);
  const subnet = clientSubnet ? Buffer.from(clientSubnet).toString('hex') : '';
  return `${type} ${dnsClass} ${flags} ${subnet} ${nameKey(name)}`;
}
