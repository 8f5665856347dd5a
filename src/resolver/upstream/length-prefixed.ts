import { HEADER_LENGTH } from '../../dns/numbers.ts';

const PREFIX_LENGTH = 2;

/**
 * Splits a stream into length-prefixed messages (RFC 1035, 4.2.2). Allocates memory only for bytes that have arrived. Returns false if the
 * stream can no longer be parsed.
 */
export function frameReader(onMessage: (message: Uint8Array) => void): (chunk: Uint8Array) => boolean {
  let parts: Uint8Array[] = [];
  let held = 0;

  const prefix = (): number => {
    const [first, second] = parts[0]!.length > 1 ? parts[0]! : [parts[0]![0]!, parts[1]![0]!];
    return (first! << 8) | second!;
  };

  return (chunk) => {
    if (chunk.length === 0) return true;
    parts.push(chunk);
    held += chunk.length;
    while (held >= PREFIX_LENGTH) {
      const length = prefix();
      if (length < HEADER_LENGTH) return false;
      if (held < PREFIX_LENGTH + length) return true;
      const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const rest = all.subarray(PREFIX_LENGTH + length);
      parts = rest.length > 0 ? [rest] : [];
      held = rest.length;
      onMessage(all.subarray(PREFIX_LENGTH, PREFIX_LENGTH + length));
    }
    return true;
  };
}

export function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX_LENGTH + message.length);
  frame[0] = message.length >>> 8;
  frame[1] = message.length;
  frame.set(message, PREFIX_LENGTH);
  return frame;
}
