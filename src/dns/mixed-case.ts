import { HEADER_LENGTH } from './numbers.ts';

/**
 * The same name in a case that nobody else knows: an answer that repeats it comes from whoever was asked (draft-vixie-dnsext-dns0x20).
 * One bit of the random bytes decides for each letter.
 */
export function mixedCase(name: Uint8Array, random: Uint8Array): Uint8Array {
  return name.map((byte, i) => {
    const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
    const flip = (random[(i >> 3) % random.length]! >> (i & 7)) & 1;
    return isLetter && flip === 1 ? byte ^ 0x20 : byte;
  });
}

/** Puts the name back as it was before, in the question, and thereby wherever the answer points to it. */
export function restoreCase(answer: Uint8Array, name: Uint8Array): void {
  answer.set(name, HEADER_LENGTH);
}
