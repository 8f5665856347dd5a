const ALPHABET_62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ALPHABET_64 = `${ALPHABET_62}-_`;
const ALPHABET_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Eight extra bytes limit the modulo bias to 2^-64. */
export const bytesForLetters = (length: number): number => Math.ceil((length * Math.log2(62)) / 8) + 8;

/** Letters and digits from `bytesForLetters(length)` random bytes. */
export function lettersFrom(random: Uint8Array, length: number): string {
  if (random.length < bytesForLetters(length)) throw new RangeError(`too few random bytes for ${length} letters`);
  let rest = random.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  return Array.from({ length }, () => {
    const letter = ALPHABET_62[Number(rest % 62n)]!;
    rest /= 62n;
    return letter;
  }).join('');
}

/** RFC 4648 section 5, without padding. */
export const toBase64Url = (bytes: Uint8Array): string => lettersOfBits(bytes, 6, ALPHABET_64);

/** RFC 4648 section 6, without padding. */
export const toBase32 = (bytes: Uint8Array): string => lettersOfBits(bytes, 5, ALPHABET_32);

function lettersOfBits(bytes: Uint8Array, width: number, alphabet: string): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= width; bits -= width) text += alphabet[(held >> (bits - width)) & (2 ** width - 1)];
  }
  return bits === 0 ? text : text + alphabet[(held << (width - bits)) & (2 ** width - 1)];
}

/** Accepts any case, padding and spaces; undefined for invalid base32. */
export function fromBase32(text: string): Uint8Array | undefined {
  const letters = text.replaceAll(/[\s=-]/g, '').toUpperCase();
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of letters) {
    const value = ALPHABET_32.indexOf(letter);
    if (value < 0) return undefined;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}
