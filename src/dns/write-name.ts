/** The message being written and the offsets of names that compression pointers may refer to. */
export type Writer = { readonly bytes: Uint8Array; at: number; readonly suffixes: Map<number, number> };

const FARTHEST_POINTER = 0x3fff;
const MAX_LABELS = 127;

// Per label of the current name: its offset, and the hash of the suffix that starts there.
const labelAt = new Uint8Array(MAX_LABELS);
const suffixHash = new Int32Array(MAX_LABELS);

/**
 * Writes a name, compressed with a pointer to its longest suffix written before. Suffixes must match case-sensitively, so that reading
 * returns the written bytes. Costs one lookup per label, independent of the message size.
 */
export function writeName(writer: Writer, name: Uint8Array, from: number): void {
  const labels = hashSuffixes(name, from);
  let uncompressed = 0;
  let shared = -1;
  for (; uncompressed < labels; uncompressed++) {
    shared = earlierOffset(writer, name, from, uncompressed);
    if (shared !== -1) break;
  }
  for (let label = 0; label < uncompressed; label++)
    writeLabel(writer, name, from + labelAt[label]!, suffixHash[label]!);
  if (shared === -1) writer.bytes[writer.at++] = 0;
  else writeShort(writer, 0xc000 | shared);
}

export function writeShort(writer: Writer, value: number): void {
  writer.bytes[writer.at++] = value >>> 8;
  writer.bytes[writer.at++] = value;
}

function hashSuffixes(name: Uint8Array, from: number): number {
  let labels = 0;
  for (let at = from; name[at] !== 0 && labels < MAX_LABELS; at += name[at]! + 1) labelAt[labels++] = at - from;
  let hash = 0x811c9dc5;
  for (let label = labels - 1; label >= 0; label--) {
    const at = from + labelAt[label]!;
    const end = at + name[at]!;
    for (let i = at; i <= end; i++) hash = Math.imul(hash ^ name[i]!, 0x01000193);
    suffixHash[label] = hash;
  }
  return labels;
}

/** Offset of an earlier occurrence of the suffix that starts at this label, or -1. */
function earlierOffset(writer: Writer, name: Uint8Array, from: number, label: number): number {
  const writtenAt = writer.suffixes.get(suffixHash[label]!);
  return writtenAt !== undefined && isWrittenAt(writer.bytes, writtenAt, name, from + labelAt[label]!) ? writtenAt : -1;
}

function isWrittenAt(bytes: Uint8Array, writtenAt: number, name: Uint8Array, from: number): boolean {
  let written = writtenAt;
  let nameAt = from;
  for (;;) {
    while (bytes[written]! >= 0xc0) written = ((bytes[written]! & 0x3f) << 8) | bytes[written + 1]!;
    const label = bytes[written]!;
    for (let i = 0; i <= label; i++) if (bytes[written + i] !== name[nameAt + i]) return false;
    if (label === 0) return true;
    written += label + 1;
    nameAt += label + 1;
  }
}

function writeLabel(writer: Writer, name: Uint8Array, at: number, hash: number): void {
  if (writer.at <= FARTHEST_POINTER) writer.suffixes.set(hash, writer.at);
  const end = at + name[at]!;
  for (let i = at; i <= end; i++) writer.bytes[writer.at++] = name[i]!;
}
