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
import { lookAlikeRules } from './look-alikes/look-alike-rules.ts';

type ListRequest = {
  readonly list: Pick<WantedList, 'source' | 'namedBy' | 'given'>;
  readonly seenBefore: readonly Seen[] | undefined;
  readonly downloading: Downloading;
  readonly ownPorts: readonly number[];
};

export type ListReading = {
  /** The source as passed to the compiler. */
  readonly source: string;
  readonly read: ReadSource;
  /** Whether all sources of the active version are unchanged. */
  readonly isUnchanged: () => Promise<boolean>;
  /** Validators of the sources that were read; undefined if one has none. */
  readonly seen: () => readonly Seen[] | undefined;
};

/** Reader for one check of a list: its source and includes, within the permissions of the list's owner. */
export function listReading({ list, seenBefore, downloading, ownPorts }: ListRequest): ListReading {
  const { given } = list;
  const isFile = !given && !isUrl(list.source);
  const mayReadFiles = isFile && list.namedBy === 'operator';
  const { ask, fetch, seen } = listDownload(downloading, ownPorts, seenBefore);
  const stamps = new Map<string, Seen>();
  const downloaded = new Set<string>();
  /** A "not modified" response has no body: if the body is needed, it is requested again. */
  const download: Download = async (url, options) => {
    downloaded.add(url);
    const found = await ask(url, options);
    return found.freshness === 'not modified' ? fetch(url, options) : found;
  };
  const readAny = readForService({
    download,
    // A file of the operator can include other files. A downloaded list can never include files.
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
      if (request.source === list.source) {
        if (given?.kind === 'rules') return { kind: 'named', bytes: Buffer.from(given.rules) };
        if (given?.kind === 'look-alikes') return { kind: 'named', bytes: Buffer.from(lookAlikeRules(given.of)) };
      }
      // Determined before reading, so that a file that changes meanwhile is read again at the next check.
      const stamp = mayReadFiles ? await stampOf(request.source) : undefined;
      if (stamp !== undefined) stamps.set(request.source, { kind: 'file', source: request.source, stamp });
      const content = await readAny(request, signal);
      if (content.kind === 'inline' && given?.kind !== 'configuration')
        throw new SourceProblem('not allowed', 'Source not allowed: it is not an address');
      return content;
    },
    isUnchanged: async () => {
      if (!seenBefore || seenBefore.length === 0) return false;
      // If a source is unavailable, the following read reports a better error.
      return (await Promise.all(seenBefore.map(isSame)).catch(() => [false])).every(Boolean);
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
    // Reading the file will report the error.
    return undefined;
  }
}
