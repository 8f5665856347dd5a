import { MAC_BASE64_LENGTH, MAC_LENGTH } from '../../dns/accept-options.ts';
import type { Question } from '../../dns/question.ts';
import { privateNetworks } from '../../domain/client-networks.ts';
import { formatMac, parseMac } from '../../kit/mac-address.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { networkSet } from './networks.ts';

/** Loopback, RFC 1918, link-local and unique local addresses. Allocates nothing. */
export const isPrivateClient = networkSet(privateNetworks);

export type MacOption = Pick<Question, 'macAt' | 'macLength'>;

/**
 * Length of the MAC option if it is trusted, otherwise 0. Only a forwarder in a private network is trusted to know the MAC
 * address of its client, and only over plain DNS: a web page can make a browser send any query over HTTPS. Allocates nothing.
 */
export const trustedMacLength = (
  { transport, client }: Pick<DnsRequest, 'transport' | 'client'>,
  { macLength }: Pick<MacOption, 'macLength'>,
): number => (macLength > 0 && (transport === 'udp' || transport === 'tcp') && isPrivateClient(client) ? macLength : 0);

/** Canonical text of a MAC option, by the form that its length implies. */
export function macText(bytes: Uint8Array, at: number, length: number): string | undefined {
  if (length === MAC_LENGTH) return formatMac(bytes, at);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('latin1');
  if (length !== MAC_BASE64_LENGTH) return parseMac(text);
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === MAC_LENGTH ? formatMac(decoded) : undefined;
}
