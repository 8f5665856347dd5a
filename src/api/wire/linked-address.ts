import Type, { type Static } from 'typebox';
import type { Device } from '../../domain/device.ts';
import { proofName } from '../../domain/link-proof.ts';
import { object } from './named.ts';

export const LinkedAddress = object('LinkedAddress', 'The address that identifies a device over plain DNS.', {
  link_url: Type.Optional(
    Type.String({
      description: 'Opened from a network, it links the address of that network. Keep it secret. Absent for viewers.',
    }),
  ),
  ip: Type.Optional(Type.String({ description: 'The linked address; absent while there is none.' })),
  pending_ip: Type.Optional(
    Type.String({ description: 'An address that has no effect until it is proven; absent while there is none.' }),
  ),
  proof_name: Type.Optional(
    Type.String({
      description:
        'Proves `pending_ip`: a query for it (class CHAOS, type TXT) over TCP or TLS from that address. Present with `pending_ip` and `ddns`.',
    }),
  ),
  ddns: Type.Optional(Type.String({ description: 'The name whose address is looked up every five minutes.' })),
});

export const LinkedAddressUpdate = object('LinkedAddressUpdate', 'An address, or a name that leads to it.', {
  ip: Type.Optional(Type.String({ maxLength: 64 })),
  ddns: Type.Optional(Type.String({ maxLength: 255 })),
});

/** Secrets that link an address are only for callers that may write. */
export const linkedAddressToWire = (
  { id, linkToken, linkedIp, pendingIp, ddnsName }: Device,
  { publicUrl, sha256 }: { readonly publicUrl: () => string; readonly sha256: (text: string) => Uint8Array },
  mayWrite: boolean,
): Static<typeof LinkedAddress> => ({
  ...(mayWrite && { link_url: `${publicUrl()}/linkip/${id}/${linkToken}` }),
  ...(linkedIp !== undefined && { ip: linkedIp }),
  ...(pendingIp !== undefined && { pending_ip: pendingIp }),
  ...(mayWrite && (pendingIp ?? ddnsName) !== undefined && { proof_name: proofName(linkToken, sha256) }),
  ...(ddnsName !== undefined && { ddns: ddnsName }),
});
