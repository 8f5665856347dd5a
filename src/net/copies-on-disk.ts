import { createHash } from 'node:crypto';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';
import { evictCopies, ifThere } from './evict-copies.ts';

/** A downloaded body with its validators. */
export type Copy = {
  bytes: Uint8Array;
  url: string;
  contentType: string | undefined;
  etag?: string;
  lastModified?: string;
};

export type Copies = {
  load(url: string): Promise<Copy | undefined>;
  save(url: string, copy: Copy): Promise<void>;
};

// Changes with the file layout; files with another mark are ignored.
const MARK = 'weir copy 1';
const CHECKSUM_BYTES = 32;

type Described = Omit<Copy, 'bytes'> & { mark: string };

export type Keeping = {
  /** Limit for all files together; the least recently used are deleted first. */
  readonly maxBytes?: number;
  readonly now?: () => number;
};

/** Stores copies as files: a checksum of the rest, a line of JSON metadata, the body. */
export function copiesOnDisk(folder: string, { maxBytes = Infinity, now = Date.now }: Keeping = {}): Copies {
  const pathOf = (url: string) => join(folder, `${sha256(url).toString('hex')}.copy`);
  // Bytes that may be written before the folder is scanned again. Other processes may write there too, so a scan is
  // valid for a while only; one eighth stays free, so that a full folder is not scanned for each copy.
  const share = maxBytes / 8;
  let bytesUntilTidied = 0;
  const noteUse = async (path: string): Promise<void> => {
    const seconds = now() / 1000;
    if (maxBytes !== Infinity) await ifThere(utimes(path, seconds, seconds));
  };
  return {
    load: async (url) => {
      const file = await ifThere(readFile(pathOf(url)));
      const copy = file && unpack(file);
      if (copy) await noteUse(pathOf(url));
      return copy;
    },
    save: async (url, copy) => {
      const file = pack(copy);
      if (file.length > maxBytes) return;
      // Only the owner may read the copies, because URLs may contain passwords.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomic(pathOf(url), file);
      await noteUse(pathOf(url));
      bytesUntilTidied -= file.length;
      if (bytesUntilTidied > 0) return;
      bytesUntilTidied = share;
      await evictCopies(folder, share * 7, now());
    },
  };
}

function pack({ bytes, ...about }: Copy): Buffer {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify({ mark: MARK, ...about })}\n`), bytes]);
  return Buffer.concat([sha256(content), content]);
}

/** Undefined unless the file is exactly as written. */
function unpack(file: Buffer): Copy | undefined {
  const content = file.subarray(CHECKSUM_BYTES);
  if (!sha256(content).equals(file.subarray(0, CHECKSUM_BYTES))) return undefined;
  const end = content.indexOf('\n');
  const { mark, contentType, ...about } = JSON.parse(content.toString('utf8', 0, end)) as Described;
  return mark === MARK ? { ...about, contentType, bytes: content.subarray(end + 1) } : undefined;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
