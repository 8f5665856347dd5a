import type { Logger } from 'pino';
import type { Dns } from '../dns-server/open-dns.ts';
import { openStapling, type Stapling } from '../ocsp/open-stapling.ts';
import { responseFolder } from '../ocsp/response-files.ts';
import type { Settings } from '../settings/settings.ts';

type Parts = {
  readonly settings: Settings;
  readonly certificates: readonly { readonly certFile: string }[];
  readonly dns: Pick<Dns, 'useStaples'>;
  /** The ports of this program, which requests must not be sent to. */
  readonly ownPorts: () => readonly number[];
  readonly log: Logger;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;

/** OCSP responses for the certificates of DNS over TLS and HTTPS. */
export function openOcspService({ settings, certificates, dns, ownPorts, log }: Parts): Stapling {
  const { dot, doh, data, sourcePort, allowSourceAddress, allowSourceHost } = settings;
  return openStapling({
    folder: responseFolder(data),
    files: dot === 'off' && doh === 'off' ? [] : certificates.map(({ certFile }) => certFile),
    async download(url, signal) {
      // Loaded on demand: most certificates have no responder.
      const [{ downloader }, { DownloadError, inWords }, { serviceDownload }] = await Promise.all([
        import('../net/download.ts'),
        import('../net/download-error.ts'),
        import('../list-sources/service-download.ts'),
      ]);
      const allowed = {
        sourcePorts: sourcePort,
        allowNetworks: allowSourceAddress,
        allowHosts: allowSourceHost,
        maxSourceBytes: MAX_BYTES,
      };
      const download = downloader({ ...serviceDownload(allowed, ownPorts()), timeoutMs: TIMEOUT_MS, maxRetries: 1 });
      try {
        return (await download(url, { signal })).bytes;
      } catch (error) {
        // The error message contains the whole URL, most of which is the encoded request.
        throw error instanceof DownloadError ? new Error(`${new URL(url).host}: ${inWords(error.failure)}`) : error;
      }
    },
    use: dns.useStaples,
    report: (level, text, details) => log[level](details, text),
    now: Date.now,
  });
}
