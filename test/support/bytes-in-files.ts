import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The files of a folder whose bytes contain the text, by their paths in it. */
export async function filesContaining(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A file may be replaced or deleted meanwhile.
    const bytes = entry.isFile() ? await readFile(path).catch(() => undefined) : undefined;
    if (bytes?.includes(text)) found.push(relative(folder, path));
  }
  return found.toSorted();
}
