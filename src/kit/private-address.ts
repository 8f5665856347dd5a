/** Loopback, private, link-local, unspecified and shared addresses, also embedded in IPv6 addresses. */
export function isPrivateAddress(bytes: Uint8Array, at: number, length: number): boolean {
  if (length === 4) return isPrivateV4(bytes, at);
  return length === 16 && isPrivateV6(bytes, at);
}

/** Takes an address in the format that sockets report. */
export const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

function isPrivateV4(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1]!;
  switch (bytes[at]) {
    case 0: // "This host": many systems treat it as their own address.
    case 10:
    case 127:
      return true;
    case 100: // Between a provider and its customers (RFC 6598).
      return second >= 64 && second <= 127;
    case 169:
      return second === 254;
    case 172:
      return second >= 16 && second <= 31;
    case 192:
      return second === 168;
    default:
      return false;
  }
}

function isPrivateV6(bytes: Uint8Array, at: number): boolean {
  const first = two(bytes, at);
  // fc00::/7 unique local, fe80::/10 link-local, fec0::/10 formerly site-local.
  if ((first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80) return true;
  if (first === 0x2002) return isPrivateV4(bytes, at + 2);
  if (first === 0x0064) return isPrivateTranslated(bytes, at);
  return first === 0 && isPrivateEmbedded(bytes, at);
}

/** 64:ff9b::/96 embeds an IPv4 address (RFC 6052), 64:ff9b:1::/48 one of the local network (RFC 8215). */
function isPrivateTranslated(bytes: Uint8Array, at: number): boolean {
  if (two(bytes, at + 2) !== 0xff9b) return false;
  return two(bytes, at + 4) === 1 || (areZero(bytes, at + 4, at + 12) && isPrivateV4(bytes, at + 12));
}

/** `::`, `::1` and all of the deprecated ::/96, and mapped or translated addresses. */
function isPrivateEmbedded(bytes: Uint8Array, at: number): boolean {
  if (areZero(bytes, at, at + 12)) return true;
  const isMapped = areZero(bytes, at, at + 10) && two(bytes, at + 10) === 0xffff;
  const isTranslated = areZero(bytes, at, at + 8) && two(bytes, at + 8) === 0xffff && two(bytes, at + 10) === 0;
  return (isMapped || isTranslated) && isPrivateV4(bytes, at + 12);
}

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

function areZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== 0) return false;
  return true;
}
