import { v4At } from '../identity/address-key.ts';
import type { DnsRequest } from './listener.ts';
import { AF_INET, CONTROL_AT, type Family } from './udp-layout.ts';

// Offset after the header of the control message.
const PKTINFO_AT = CONTROL_AT + 16;

export const familyOf = (peer: Uint8Array, at = 0): Family => (peer[at] === AF_INET ? 'v4' : 'v6');

/** Copies addresses into two arrays that are reused for every packet, one per length. */
export function peerReader(): (peers: Uint8Array, at: number, request: DnsRequest) => void {
  const client = { v4: new Uint8Array(4), v6: new Uint8Array(16) };
  const local = { v4: new Uint8Array(4), v6: new Uint8Array(16) };
  return (peers, at, request) => {
    request.clientPort = (peers[at + 2]! << 8) | peers[at + 3]!;
    if (familyOf(peers, at) === 'v4') {
      request.client = copy(peers, at + 4, client.v4);
      // in_pktinfo: interface, local address, destination of the packet (which could be a broadcast).
      request.local = copy(peers, at + PKTINFO_AT + 4, local.v4);
      return;
    }
    request.client = unmapped(copy(peers, at + 8, client.v6), client.v4);
    request.local = unmapped(copy(peers, at + PKTINFO_AT, local.v6), local.v4);
  };
}

function copy(from: Uint8Array, at: number, into: Uint8Array): Uint8Array {
  for (let i = 0; i < into.length; i++) into[i] = from[at + i]!;
  return into;
}

const unmapped = (address: Uint8Array, v4: Uint8Array): Uint8Array => {
  const at = v4At(address);
  return at < 0 ? address : copy(address, at, v4);
};

/**
 * Clears the interface in the received control message: it would bind the answer to that interface, although the route back may use
 * another. Only link-local addresses need it.
 */
export function forgetInterface(peers: Uint8Array, at: number): void {
  const info = at + PKTINFO_AT;
  const isV4 = familyOf(peers, at) === 'v4';
  const isLinkLocal = !isV4 && peers[info] === 0xfe && (peers[info + 1]! & 0xc0) === 0x80;
  if (!isLinkLocal) zero(peers, isV4 ? info : info + 16);
}

function zero(bytes: Uint8Array, at: number): void {
  bytes[at] = 0;
  bytes[at + 1] = 0;
  bytes[at + 2] = 0;
  bytes[at + 3] = 0;
}
