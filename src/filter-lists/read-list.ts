import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUrl, type ReadSource } from '../compiler/sources/read-source.ts';
import { readForService } from '../list-sources/read-for-service.ts';
import { SourceProblem } from '../list-sources/source-error-text.ts';
import type { Download } from '../net/download.ts';
import { listDownload } from './list-download.ts';
import type { Downloading } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { Seen } from './list-state.ts';

type Asked = {
  readonly list: Pick<WantedList, 'source' | 'namedBy' | 'given'>;
  readonly known: readonly Seen[] | undefined;
  readonly downloading: Downloading;
  readonly ownPorts: readonly number[];
};

export type ListReading = {
  /** The source as the compiler is to be told it. */
  readonly source: string;
  readonly read: ReadSource;
  /** Whether all that was read of the list the last time is still the same. */
  readonly isUnchanged: () => Promise<boolean>;
  /** What the sources call what was read of them; undefined when one does not say. */
  readonly seen: () => readonly Seen[] | undefined;
};

/** Reads for one check of a list: its source and what that includes, and no more than whoever named it may. */
export function listReading({ list, known, downloading, ownPorts }: Asked): ListReading {
  const { given } = list;
  const isFile = !given && !isUrl(list.source);
  const mayReadFiles = isFile && list.namedBy === 'operator';
  const { ask, fetch, seen } = listDownload(downloading, ownPorts, known);
  const stamps = new Map<string, Seen>();
  const downloaded = new Set<string>();
  /** Of what was found unchanged nothing was sent: when the whole is needed after all, it is asked for again. */
  const download: Download = async (url, options) => {
    downloaded.add(url);
    const found = await ask(url, options);
    return found.freshness === 'not modified' ? fetch(url, options) : found;
  };
  const readAny = readForService({
    download,
    // A file of the operator's can include others. What comes from the network names no file, whoever named it.
    sourceRoot: mayReadFiles ? '/' : undefined,
    maxSourceBytes: downloading.maxSourceBytes,
    maxCompilationBytes: downloading.maxCompilationBytes,
  });
  const isSame = async (one: Seen): Promise<boolean> =>
    one.kind === 'file'
      ? mayReadFiles && (await stampOf(one.source)) === one.stamp
      : (await ask(one.source)).freshness === 'not modified';
  return {
    source: mayReadFiles ? pathOf(list.source) : list.source,
    read: async (request, signal) => {
      if (given?.kind === 'rules' && request.source === list.source)
        return { kind: 'named', bytes: Buffer.from(given.rules) };
      // Taken before the file is read: one that changes meanwhile is read again at the next check.
      const stamp = mayReadFiles ? await stampOf(request.source) : undefined;
      if (stamp !== undefined) stamps.set(request.source, { kind: 'file', source: request.source, stamp });
      const content = await readAny(request, signal);
      if (content.kind === 'inline' && given?.kind !== 'configuration')
        throw new SourceProblem('not allowed', 'Source not allowed: it is not an address');
      return content;
    },
    isUnchanged: async () => {
      if (!known || known.length === 0) return false;
      // A source that cannot be had now fails the reading itself, which says so better.
      return (await Promise.all(known.map(isSame)).catch(() => [false])).every(Boolean);
    },
    seen: () => {
      const all = [...stamps.values(), ...[...downloaded].map((url) => seen.get(url))];
      return all.every(canTell) ? all : undefined;
    },
  };
}

const canTell = (one: Seen | undefined): one is Seen =>
  one !== undefined && (one.kind === 'file' || one.etag !== undefined || one.lastModified !== undefined);

function pathOf(source: string): string {
  return resolve(/^file:\/\//i.test(source) ? fileURLToPath(source) : source);
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    // What is wrong with the file, reading it will tell.
    return undefined;
  }
}
