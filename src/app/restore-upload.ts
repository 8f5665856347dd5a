import { randomUUID } from 'node:crypto';
import { createWriteStream, openSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupUpload } from '../api/upload.ts';
import { StoreError } from '../domain/store-error.ts';
import { readSlowly } from '../http/slow-requests.ts';
import { err, ok } from '../kit/result.ts';
import type { Store } from '../store/store.ts';

const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

class TooLarge extends Error {}

/** An upload may take hours, but not without progress. */
const STALLED_MS = 30_000;
const PREFIX = 'upload-';

async function* limited(parts: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > most) throw new TooLarge();
    yield part;
  }
}

/** Checks or restores an uploaded backup, which is stored in the data folder temporarily. */
export const restoreUpload =
  (
    data: string,
    store: Pick<Store, 'inspectBackup' | 'restore'>,
    backUp: () => Promise<unknown>,
    { most = MAX_UPLOAD_BYTES, stalledMs = STALLED_MS } = {},
  ): BackupUpload =>
  async (content, action) => {
    const folder = join(data, 'backups');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${PREFIX}${randomUUID()}`);
    try {
      await readSlowly(content, stalledMs, (parts) =>
        // Opens the file now; otherwise an aborted upload would be deleted before the stream has created it.
        pipeline(limited(parts, most), createWriteStream(file, { fd: openSync(file, 'wx', 0o600) })),
      );
      const summary = await store.inspectBackup(file);
      if (action === 'replace') await backUp();
      if (action !== 'check') await store.restore(file, { isReplacing: action === 'replace' });
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

/** Deletes uploads left behind by a killed service. */
export async function removeLeftoverUploads(data: string): Promise<void> {
  const folder = join(data, 'backups');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) if (name.startsWith(PREFIX)) await rm(join(folder, name), { force: true });
}
