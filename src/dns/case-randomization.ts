import { HEADER_LENGTH } from './numbers.ts';

/**
 * 0x20 case randomisation (draft-vixie-dnsext-dns0x20): a spoofed response must repeat the case. Uses one random bit per letter.
 */
export function mixedCase(name: Uint8Array, random: Uint8Array): Uint8Array {
  return name.map((byte, i) => {
    const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
    const flip = (random[(i >> 3) % random.length]! >> (i & 7)) & 1;
    return isLetter && flip === 1 ? byte ^ 0x20 : byte;
  });
}

/** Restores the original case in the question, and so in every record that points to it. */
export function restoreCase(answer: Uint8Array, name: Uint8Array): void {
  answer.set(name, HEADER_LENGTH);
}
