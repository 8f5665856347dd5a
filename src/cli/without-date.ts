/** A list without what says when it was made: the line of its header, and the serial of a policy zone. */
export function withoutDate(list: Uint8Array): Uint8Array {
  const buffer = Buffer.from(list.buffer, list.byteOffset, list.length);
  return withoutLine(withoutLine(buffer, 'Last modified: '), '@ SOA ');
}

// Both stand above the rules; a rule that looks like them is left alone.
const MAX_HEADER = 64 * 1024;
const LF = 0x0a;

/** Leaves the label and takes the rest of its line. */
function withoutLine(list: Buffer, label: string): Buffer {
  const at = list.subarray(0, MAX_HEADER).indexOf(label);
  if (at === -1) return list;
  const end = list.indexOf(LF, at);
  return Buffer.concat([list.subarray(0, at + label.length), end === -1 ? Buffer.alloc(0) : list.subarray(end)]);
}
