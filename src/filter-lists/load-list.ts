import { createHash } from 'node:crypto';
import { buildTable } from '../engine/build/build-table.ts';
import type { ListText } from '../engine/list-text.ts';
import { boundsOf } from './check-list.ts';
import { tablePath, textPath } from './list-folder.ts';
import type { ListSurroundings, LoadedVersion, LoadJob } from './list-jobs.ts';
import { whyNotRead } from './read-error.ts';
import { loadTable, saveTable } from './table-file.ts';
import { textFile } from './text-file.ts';

/** A version from its files. A table that is not exactly what was written is made again from the text. */
export async function loadList(
  { id, namedBy, version }: LoadJob,
  surroundings: ListSurroundings,
): Promise<LoadedVersion> {
  const { folder, secret } = surroundings;
  const path = tablePath(folder, id, version.name);
  const saved = loadTable(path, secret);
  if (saved.ok) return { kind: 'loaded', version, buffer: saved.value };
  try {
    const text = textFile(textPath(folder, id, version.name));
    if (sha256(text) !== version.name) return { kind: 'lost', why: 'its saved text is damaged' };
    const table = buildTable(text, { secret, ...boundsOf(namedBy) });
    const remade = { ...version, bytes: table.buffer.byteLength };
    // Without room on the disk it is as good, only to be made again at the next start.
    const why = await saveTable(path, table).then(
      () => saved.error,
      (error: unknown) => `${saved.error}, and could not be written: ${String(error)}`,
    );
    return { kind: 'remade', version: remade, buffer: table.buffer, why };
  } catch (error) {
    return { kind: 'lost', why: whyNotRead(error).details ?? 'its files cannot be read' };
  }
}

function sha256(text: ListText): string {
  const hash = createHash('sha256');
  for (const piece of text.pieces()) hash.update(piece);
  return hash.digest('hex');
}
