import Type, { type Static } from 'typebox';
import type { Device } from '../../domain/device.ts';
import { proofName } from '../../domain/link-proof.ts';
import { object } from './named.ts';

export const LinkedAddress = object('LinkedAddress', 'The address that identifies a device over plain DNS.', {
  link_url: Type.Optional(
    Type.String({
      description:
        'Auto-link URL: a request to it links the address of the client. Treat it as a secret. Absent for viewers.',
    }),
  ),
  ip: Type.Optional(Type.String({ description: 'The linked address; absent if no address is linked.' })),
  pending_ip: Type.Optional(
    Type.String({ description: 'An address that takes effect when it is verified; absent if no address is pending.' }),
  ),
  proof_name: Type.Optional(
    Type.String({
      description:
        'Domain name that verifies `pending_ip`: query it (class CHAOS, type TXT) over TCP or TLS from that address. Present with `pending_ip` and `ddns`.',
    }),
  ),
  ddns: Type.Optional(Type.String({ description: 'DDNS name; its address is looked up every five minutes.' })),
});

export const LinkedAddressUpdate = object('LinkedAddressUpdate', 'An IP address or a DDNS name.', {
  ip: Type.Optional(Type.String({ maxLength: 64 })),
  ddns: Type.Optional(Type.String({ maxLength: 255 })),
});

/** Only callers with write access get the secrets for linking an address. */
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
