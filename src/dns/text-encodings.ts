export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

// In pieces, because arguments of a call are limited.
export const base64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
};

/** The alphabet that keeps the order (RFC 4648, 7), without padding. */
export function base32hex(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits
    .map((five) => Number.parseInt(five.padEnd(5, '0'), 2).toString(32))
    .join('')
    .toUpperCase();
}

/** Text between quotes. What would end it, or is not printable ASCII, is escaped, so it is safe on a terminal. */
export const quoted = (bytes: Uint8Array): string => `"${escaped(bytes, /["\\]/)}"`;

/** Bytes as text with a backslash before those that mean something, and numbers for those that nobody can print. */
export const escaped = (bytes: Uint8Array, special: RegExp): string =>
  Array.from(bytes, (byte) => {
    if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`;
    const character = String.fromCharCode(byte);
    return special.test(character) ? `\\${character}` : character;
  }).join('');
