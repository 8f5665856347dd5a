import { classes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { PROOF_DOMAIN } from '../../domain/link-proof.ts';
import { formatIp } from '../../kit/ip-address.ts';
import { isAtOrUnder, suffix } from '../pipeline/wire-suffix.ts';
import type { DnsRequest } from '../transport/listener.ts';
import type { Directory, PendingLink } from './directory.ts';

const domain = suffix(PROOF_DOMAIN)!;

/** Whether the query name proves a linked address. Allocates nothing. */
export const isProofQuestion = (bytes: Uint8Array, question: Question): boolean =>
  question.class === classes.CH &&
  question.type === types.TXT &&
  isAtOrUnder(bytes, question.nameAt, question.nameEnd, domain);

/**
 * Whether the source address of a query over this transport is verified. A UDP source can be forged. Over HTTPS a web
 * page can make browsers send any query.
 */
export const provesAddress = ({ transport }: Pick<DnsRequest, 'transport'>): boolean =>
  transport === 'tcp' || transport === 'dot';

type AddressProof =
  | { readonly kind: 'proven'; readonly link: PendingLink }
  | { readonly kind: 'other address'; readonly client: string };

/** Result of a query for a proof name; undefined if the label belongs to no pending claim. */
export function addressProof(request: DnsRequest, question: Question, directory: Pick<Directory, 'byProofLabel'>) {
  const link = directory.byProofLabel(firstLabel(request.bytes, question.nameAt));
  if (!link) return undefined;
  const client = formatIp({ family: request.client.length === 4 ? 'V4' : 'V6', bytes: [...request.client] });
  const proof: AddressProof = link.address === client ? { kind: 'proven', link } : { kind: 'other address', client };
  return proof;
}

const firstLabel = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, bytes[at])
    .toString('latin1')
    .toLowerCase();
