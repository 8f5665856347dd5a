import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED, writeAtomic } from '../../platform/write-atomic.ts';
import type { PreparedInsert } from './spooled-engine.ts';

export type SpoolLocation = { readonly folder: string; readonly maxBytes: number };

type SpoolDeps = {
  readonly onDropped: (rows: number) => void;
  readonly onProblem: (problem: unknown) => void;
};

type SpoolFile = { readonly name: string; readonly rows: number; readonly bytes: number; readonly since: number };

const FILE_NAME = /^(\d{12})-(\d+)-([0-9a-f-]{36})\.insert$/;

/** Inserts in files, which survive a restart. Above the limit the oldest are dropped. */
export function openSpool({ folder, maxBytes }: SpoolLocation, { onDropped, onProblem }: SpoolDeps) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files: SpoolFile[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(UNFINISHED)) rmSync(join(folder, name), { force: true });
    const rows = FILE_NAME.exec(name)?.[2];
    if (rows === undefined) continue;
    const { size, mtimeMs } = statSync(join(folder, name));
    files.push({ name, rows: Number(rows), bytes: size, since: mtimeMs });
  }
  const total = (of: 'rows' | 'bytes'): number => files.reduce((sum, file) => sum + file[of], 0);
  let next = 1 + Number(FILE_NAME.exec(files.at(-1)?.name ?? '')?.[1] ?? 0);

  return {
    /** An insert that cannot be written is dropped and reported. */
    async put({ id, rows, body }: PreparedInsert): Promise<void> {
      while (files.length > 0 && total('bytes') + body.length > maxBytes) {
        const oldest = files.shift()!;
        await rm(join(folder, oldest.name), { force: true });
        onDropped(oldest.rows);
      }
      const name = `${String(next++).padStart(12, '0')}-${rows}-${id}.insert`;
      try {
        await writeAtomic(join(folder, name), body);
        files.push({ name, rows, bytes: body.length, since: Date.now() });
      } catch (error) {
        onDropped(rows);
        onProblem(new Error(`${rows} query records are lost: the spool cannot be written`, { cause: error }));
      }
    },
    /** The oldest insert. It is kept until it is passed to `remove`. */
    async oldest(): Promise<(PreparedInsert & { readonly name: string }) | undefined> {
      const file = files[0];
      if (!file) return undefined;
      const id = FILE_NAME.exec(file.name)![3]!;
      return { id, rows: file.rows, name: file.name, body: await readFile(join(folder, file.name)) };
    },
    /** False if it was dropped meanwhile. */
    async remove(name: string): Promise<boolean> {
      const index = files.findIndex((file) => file.name === name);
      if (index === -1) return false;
      files.splice(index, 1);
      await rm(join(folder, name), { force: true });
      return true;
    },
    size: () => ({ files: files.length, rows: total('rows'), bytes: total('bytes'), since: files[0]?.since }),
  };
}

export type Spool = ReturnType<typeof openSpool>;
