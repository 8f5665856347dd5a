import type { LookupFunction } from 'node:net';
import type { ReadRequest } from '../../../src/compiler/sources/read-source.ts';
import { readForService, type ServiceReading } from '../../../src/list-sources/read-for-service.ts';
import { downloader } from '../../../src/net/download.ts';
import type { DownloadSettings } from '../../../src/net/download-settings.ts';
import { type PublicEndpoints, publicEndpoints } from '../../../src/net/endpoint-policy.ts';

const MIB = 1024 * 1024;

/** The host name that tests use for their server. */
export const OPEN_HOST = 'lists.example';

/** Resolves names by the table; the open host resolves to this machine, and other names do not exist. */
export const lookupIn =
  (table: Readonly<Record<string, readonly string[]>> = {}): LookupFunction =>
  (hostname, _options, callback) => {
    const found = Object.hasOwn(table, hostname) ? table[hostname]! : hostname === OPEN_HOST ? ['127.0.0.1'] : [];
    if (found.length === 0) return callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    const toFamily = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);
    return callback(
      null,
      found.map((address) => ({ address, family: toFamily(address) })),
    );
  };

type Given = Partial<ServiceReading> & { settings?: Partial<DownloadSettings>; open?: Partial<PublicEndpoints> };

/** A reader with the permissions of a service: public addresses and the open host. */
export function serviceReader({ settings, open, ...given }: Given = {}) {
  const endpoints = publicEndpoints({ ports: [80, 443], allowHosts: [OPEN_HOST], ...open });
  const download = downloader({ endpoints, lookup: lookupIn(), maxRetries: 0, allowDowngrade: false, ...settings });
  const read = readForService({ download, maxSourceBytes: 64 * MIB, maxCompilationBytes: 256 * MIB, ...given });
  return async (source: string, as: ReadRequest['as'] = 'source', signal = AbortSignal.timeout(20_000)) => {
    const { kind, bytes } = await read({ source, as }, signal);
    return { kind, text: Buffer.from(bytes).toString() };
  };
}

/** The URL of a test server with the allowed host name. */
export const openUrl = (origin: { port: number }, path = ''): string => `http://${OPEN_HOST}:${origin.port}/${path}`;

export const notFetched = {
  kind: 'not allowed',
  message: 'Source not allowed: its address does not exist or may not be fetched',
};
export const noFetcher = (source: string) => ({
  kind: 'not allowed',
  message: `No fetcher available for source: ${source}`,
});
export const failedAs = (reason: string) => ({ kind: 'failed', message: `Source failed: ${reason}` });
