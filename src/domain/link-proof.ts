import { toBase32 } from './base-encoding.ts';

// A client verifies a pending address with a query for `LABEL.link.server` (class CHAOS, type TXT) from that address.
// Web pages and mail servers cannot be made to send queries of this class, so a third party cannot trigger it.

export const PROOF_DOMAIN = 'link.server';

const LABEL_BYTES = 16;

/** The label that verifies claims of one device. Derived from the link token, and invalid when the token changes. */
export const proofLabel = (linkToken: string, sha256: (text: string) => Uint8Array): string =>
  toBase32(sha256(`proof of a linked address: ${linkToken}`).subarray(0, LABEL_BYTES)).toLowerCase();

export const proofName = (linkToken: string, sha256: (text: string) => Uint8Array): string =>
  `${proofLabel(linkToken, sha256)}.${PROOF_DOMAIN}`;
