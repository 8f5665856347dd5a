import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buildTable } from '../../engine/build-table.ts';
import { tablePath, textPath } from './list-folder.ts';
import type { ListSurroundings, LoadedVersion, LoadJob } from './list-jobs.ts';
import { loadTable, saveTable } from './table-file.ts';
import { whyNotRead } from './why-not-read.ts';

/** A version from its files. A table that is not exactly what was written is made again from the text. */
export async function loadList({ id, version }: LoadJob, surroundings: ListSurroundings): Promise<LoadedVersion> {
  const { folder, secret } = surroundings;
  const path = tablePath(folder, id, version.name);
  const saved = loadTable(path, secret);
  if (saved.ok) return { kind: 'loaded', version, buffer: saved.value };
  try {
    const text = await readFile(textPath(folder, id, version.name));
    if (hash('sha256', text) !== version.name) return { kind: 'lost', why: 'its saved text is damaged' };
    const table = buildTable(text, { secret });
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
