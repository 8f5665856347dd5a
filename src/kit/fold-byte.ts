/** Converts an ASCII capital to lower case; other bytes are unchanged (RFC 4343). */
export const foldByte = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
