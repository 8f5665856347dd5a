import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupUpload } from '../api/upload.ts';
import { StoreError } from '../domain/store-error.ts';
import { err, ok } from '../kit/result.ts';
import type { Store } from '../store/store.ts';

const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

class TooLarge extends Error {}

async function* limited(content: Readable, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw new TooLarge();
    yield part;
  }
}

/** Checks or restores a backup that a client sends. It is in the data folder only meanwhile. */
export const restoreUpload =
  (data: string, store: Pick<Store, 'inspectBackup' | 'restore'>, most = MAX_UPLOAD_BYTES): BackupUpload =>
  async (content, action) => {
    const folder = join(data, 'backups');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `upload-${randomUUID()}`);
    try {
      await pipeline(limited(content, most), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      const summary = await store.inspectBackup(file);
      if (action === 'restore') await store.restore(file);
      return ok(summary);
    } catch (error) {
      if (error instanceof TooLarge) return err({ kind: 'too large' });
      if (!content.readableEnded) return err({ kind: 'not restorable', why: 'the upload is incomplete' });
      if (!(error instanceof StoreError) || error.kind !== 'not restorable') throw error;
      return err({ kind: 'not restorable', why: error.message.replace(`${file} `, '') });
    } finally {
      await rm(file, { force: true });
    }
  };
