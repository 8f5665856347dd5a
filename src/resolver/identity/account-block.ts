/*
 * Many accounts as lines of JSON with an index, in shared memory. An account is found by the ids in the index; its line is parsed when its
 * first client sends a query.
 */
export type AccountBlock = {
  readonly lines: Uint8Array<SharedArrayBuffer>;
  /** The entries of the lines, in their order. */
  readonly index: Uint32Array<SharedArrayBuffer>;
};

/** The account is not identified by ids alone (see `isIdentifiedByIds`), so its line is read immediately. */
export const READ_AT_ONCE = 1;
/** Its rules must be compiled before queries may wait for them. */
export const HAS_REGEX_RULES = 2;
export const HAS_NO_LOG = 4;

/** Index entry of an account. */
export type IndexEntry = {
  readonly flags: number;
  /** A number chosen by the caller, below `MAX_TAG`. */
  readonly tag: number;
  readonly devices: number;
  /** `keyOf` its profile ids, its device ids and the address suffixes of its devices. */
  readonly keys: readonly number[];
};

/** An entry and its line. */
export type IndexedLine = {
  readonly id: string;
  readonly flags: number;
  readonly tag: number;
  readonly devices: number;
  readonly lineAt: number;
  readonly lineEnd: number;
  /** Range of the keys of the entry in the index. */
  readonly keysAt: number;
  readonly keysEnd: number;
};

/*
 * Words of an entry: bytes of its line with the line end; flags, length of the id and tag in 8, 8 and 16 bits; number of devices; number
 * of keys; keys. A line starts with the id: {"id":"…".
 */
const HEAD_WORDS = 4;
const ID_AT = '{"id":"'.length;
export const MAX_TAG = 0xffff;

/** 32 bits of an id. Different ids may have the same key. */
export function keyOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export type BlockLine = { readonly id: string; readonly line: string; readonly entry: IndexEntry };

/** `line`: the JSON of an account, which starts with its id, without a line end. */
export function writeBlock(accounts: readonly BlockLine[]): AccountBlock {
  const text = accounts.map(({ line }) => `${line}\n`).join('');
  const length = Buffer.byteLength(text);
  const lines = sharedBytes(length);
  Buffer.from(lines.buffer).write(text);
  const isAscii = length === text.length;
  const words = accounts.reduce((sum, { entry }) => sum + HEAD_WORDS + entry.keys.length, 0);
  const index = new Uint32Array(new SharedArrayBuffer(words * 4));
  let at = 0;
  for (const { id, line, entry } of accounts) {
    index[at] = (isAscii ? line.length : Buffer.byteLength(line)) + 1;
    index[at + 1] = entry.flags | (id.length << 8) | (entry.tag << 16);
    index[at + 2] = entry.devices;
    index[at + 3] = entry.keys.length;
    index.set(entry.keys, at + HEAD_WORDS);
    at += HEAD_WORDS + entry.keys.length;
  }
  return { lines, index };
}

export const sharedBytes = (length: number): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(new SharedArrayBuffer(length));

export function readIndex({ lines, index }: AccountBlock): IndexedLine[] {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const accounts: IndexedLine[] = [];
  let lineAt = 0;
  for (let at = 0; at < index.length; ) {
    const lineEnd = lineAt + index[at]!;
    const numbers = index[at + 1]!;
    const keysAt = at + HEAD_WORDS;
    const keysEnd = keysAt + index[at + 3]!;
    const idAt = lineAt + ID_AT;
    const id = bytes.toString('latin1', idAt, idAt + ((numbers >>> 8) & 0xff));
    const [flags, tag] = [numbers & 0xff, numbers >>> 16];
    accounts.push({ id, flags, tag, devices: index[at + 2]!, lineAt, lineEnd, keysAt, keysEnd });
    lineAt = lineEnd;
    at = keysEnd;
  }
  return accounts;
}

/** A copy of the text of a line, without its end. */
export const lineText = ({ lines }: AccountBlock, { lineAt, lineEnd }: IndexedLine): string =>
  Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString('utf8', lineAt, lineEnd - 1);
