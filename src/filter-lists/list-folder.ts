import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED, writeAtomic } from '../platform/write-atomic.ts';
import { type ListState, parseState, stateText } from './list-state.ts';

const STATE = 'state.json';

/** Folder name of a list: human-readable, and safe for any id (never outside of the root). */
export function listFolder(root: string, id: string): string {
  const readable = id.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 48);
  return join(root, `${readable}.${createHash('sha256').update(id).digest('hex').slice(0, 16)}`);
}

export const textPath = (root: string, id: string, version: string): string =>
  join(listFolder(root, id), `${version}.txt`);
export const tablePath = (root: string, id: string, version: string): string =>
  join(listFolder(root, id), `${version}.table`);
export const changesPath = (root: string, id: string, version: string): string =>
  join(listFolder(root, id), `${version}.changes`);

/** The saved states of all lists, read at startup. An unreadable state is reported and ignored. */
export async function readStates(root: string, onProblem: (problem: unknown) => void): Promise<ListState[]> {
  const folders = await readdir(root, { withFileTypes: true });
  const states: ListState[] = [];
  for (const { name } of folders.filter((entry) => entry.isDirectory())) {
    await removeFiles(join(root, name), (file) => file.endsWith(UNFINISHED));
    const path = join(root, name, STATE);
    const text = await readStateText(path);
    // The service stopped before the first download of the list; it is treated as a new one.
    if (text === undefined) continue;
    const state = parseState(text);
    if (state && listFolder(root, state.id) === join(root, name)) states.push(state);
    else onProblem(new Error(`${path} is not the state of a list, or not one that this version wrote`));
  }
  return states;
}

/** Undefined without a file; empty if it cannot be read. */
const readStateText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : ''));

/** Written last, because it contains the active version. */
export async function writeState(root: string, state: ListState): Promise<void> {
  await mkdir(listFolder(root, state.id), { recursive: true, mode: 0o700 });
  await writeAtomic(join(listFolder(root, state.id), STATE), stateText(state));
}

/** Removes files of unused versions and of killed writers. */
export async function removeOldFiles(root: string, id: string, keep: readonly string[]): Promise<void> {
  const folder = listFolder(root, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeFiles(folder, (name) => {
    const [, version] = /^([0-9a-f]{64})\.(?:txt|table|changes)/.exec(name) ?? [];
    return version !== undefined && (name.endsWith(UNFINISHED) || !keep.includes(version));
  });
}

async function removeFiles(folder: string, isNeedless: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder)).filter(isNeedless)) await rm(join(folder, name), { force: true });
}

export const removeList = (root: string, id: string): Promise<void> =>
  rm(listFolder(root, id), { recursive: true, force: true });
