import { toBase32 } from './base-encoding.ts';

// A client shows that it has a pending address by asking for `LABEL.link.server` (class CHAOS, type TXT) from that address. Neither
// web pages nor mail servers can be made to send a question of this class, so a third party cannot make a household ask it.

export const PROOF_DOMAIN = 'link.server';

const LABEL_BYTES = 16;

/** The label that proves the claims of one device. Follows from the token of its link, and ends with that token. */
export const proofLabel = (linkToken: string, sha256: (text: string) => Uint8Array): string =>
  toBase32(sha256(`proof of a linked address: ${linkToken}`).subarray(0, LABEL_BYTES)).toLowerCase();

export const proofName = (linkToken: string, sha256: (text: string) => Uint8Array): string =>
  `${proofLabel(linkToken, sha256)}.${PROOF_DOMAIN}`;
