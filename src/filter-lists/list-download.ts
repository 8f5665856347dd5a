import { once, serviceDownload } from '../list-sources/service-download.ts';
import type { Copy } from '../net/copies-on-disk.ts';
import { type Download, downloader } from '../net/download.ts';
import type { Downloading } from './list-jobs.ts';
import type { Seen } from './list-state.ts';

type SeenUrl = Extract<Seen, { kind: 'url' }>;
type Tags = Pick<Copy, 'url' | 'etag' | 'lastModified'>;

export type ListDownload = {
  /** Conditional request: a known version may return "not modified" without a body. */
  readonly ask: Download;
  /** Unconditional request. */
  readonly fetch: Download;
  /** Validators of the received versions, by requested URL. */
  readonly seen: ReadonlyMap<string, SeenUrl>;
};

/**
 * Downloads for one check of a list. Bodies are not cached between checks: most lists are one file, and an unchanged
 * one is not needed again.
 */
export function listDownload(
  downloading: Downloading,
  ownPorts: readonly number[],
  seenBefore: readonly Seen[] = [],
): ListDownload {
  const { timeoutMs, maxRetries } = downloading;
  const settings = {
    ...serviceDownload(downloading, ownPorts),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxRetries !== undefined && { maxRetries }),
  };
  const seen = new Map<string, SeenUrl>();
  const before = new Map(seenBefore.filter((one) => one.kind === 'url').map((one) => [one.source, one]));
  const save = async (source: string, copy: Copy): Promise<void> => {
    seen.set(source, { kind: 'url', source, ...tagsOf(copy) });
  };
  const load = async (source: string): Promise<Copy | undefined> => {
    const one = before.get(source);
    return one && { ...tagsOf(one), bytes: new Uint8Array(0), contentType: undefined };
  };
  const conditional = downloader({ ...settings, copies: { load, save } });
  const ask: Download = async (source, options) => {
    const downloaded = await conditional(source, options);
    if (downloaded.freshness === 'not modified') seen.set(source, before.get(source)!);
    return downloaded;
  };
  const fetch = downloader({ ...settings, copies: { load: async () => undefined, save } });
  return { ask: once(ask), fetch: once(fetch), seen };
}

const tagsOf = ({ url, etag, lastModified }: Tags): Tags => ({
  url,
  ...(etag !== undefined && { etag }),
  ...(lastModified !== undefined && { lastModified }),
});
