export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

// In chunks, because the number of call arguments is limited.
export const base64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
};

/** Base32hex (RFC 4648, 7), which preserves sort order, without padding. */
export function base32hex(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits
    .map((five) => Number.parseInt(five.padEnd(5, '0'), 2).toString(32))
    .join('')
    .toUpperCase();
}

/** Quoted text. Quotes, backslashes and non-printable bytes are escaped, so it is safe on a terminal. */
export const quoted = (bytes: Uint8Array): string => `"${escaped(bytes, /["\\]/)}"`;

/** Bytes as text: special characters get a backslash, non-printable bytes become \\DDD. */
export const escaped = (bytes: Uint8Array, special: RegExp): string =>
  Array.from(bytes, (byte) => {
    if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`;
    const character = String.fromCharCode(byte);
    return special.test(character) ? `\\${character}` : character;
  }).join('');
