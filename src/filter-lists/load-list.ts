import { createHash } from 'node:crypto';
import { buildTable } from '../engine/build/build-table.ts';
import type { ListText } from '../engine/list-text.ts';
import { boundsOf } from './check-list.ts';
import { tablePath, textPath } from './list-folder.ts';
import type { ListEnvironment, LoadedVersion, LoadJob } from './list-jobs.ts';
import { readError } from './read-error.ts';
import { loadTable, saveTable } from './table-file.ts';
import { textFile } from './text-file.ts';

/** Loads a version from its files. A table that is not exactly as written is rebuilt from the text. */
export async function loadList(
  { id, namedBy, version }: LoadJob,
  environment: ListEnvironment,
): Promise<LoadedVersion> {
  const { folder, secret } = environment;
  const path = tablePath(folder, id, version.name);
  const saved = loadTable(path, secret);
  if (saved.ok) return { kind: 'loaded', version, buffer: saved.value };
  try {
    const text = textFile(textPath(folder, id, version.name));
    if (sha256(text) !== version.name) return { kind: 'lost', why: 'its saved text is damaged' };
    const table = buildTable(text, { secret, ...boundsOf(namedBy) });
    const remade = { ...version, bytes: table.buffer.byteLength };
    // If the disk is full, the table is used anyway, and rebuilt at the next start.
    const why = await saveTable(path, table).then(
      () => saved.error,
      (error: unknown) => `${saved.error}, and could not be written: ${String(error)}`,
    );
    return { kind: 'remade', version: remade, buffer: table.buffer, why };
  } catch (error) {
    return { kind: 'lost', why: readError(error).details ?? 'its files cannot be read' };
  }
}

function sha256(text: ListText): string {
  const hash = createHash('sha256');
  for (const piece of text.pieces()) hash.update(piece);
  return hash.digest('hex');
}
