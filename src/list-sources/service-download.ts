import { networkInterfaces } from 'node:os';
import { oncePerKey } from '../kit/single-flight.ts';
import type { Download } from '../net/download.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import { version } from '../platform/version.ts';

type Allowed = {
  readonly sourcePorts: readonly number[];
  readonly allowNetworks: readonly string[];
  readonly allowHosts: readonly string[];
  readonly maxSourceBytes: number;
};

/** Download settings for URLs of untrusted clients: public addresses only, and never this program itself. */
export function serviceDownload(allowed: Allowed, ownPorts: readonly number[]) {
  const { sourcePorts, allowNetworks, allowHosts, maxSourceBytes } = allowed;
  const ownAddresses = new Set(
    Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []),
  );
  return {
    endpoints: publicEndpoints({
      ports: sourcePorts,
      allowNetworks,
      allowHosts,
      isOwn: ({ address, port }) =>
        ownPorts.includes(port) && (ownAddresses.has(address) || /^127\.|^::1$/.test(address)),
    }),
    maxBytes: maxSourceBytes,
    maxWireBytes: maxSourceBytes,
    maxRedirects: 5,
    // Limit of all attempts together: after an attempt of 30 s, 15 s are left for another one.
    totalBudgetMs: 45_000,
    minBytesPerSecond: 1024,
    maxPerOrigin: 2,
    allowDowngrade: false,
    userAgent: `weir/${version}`,
  } as const;
}

/** Downloads each URL once. */
export function once(download: Download): Download {
  const downloads = oncePerKey<Awaited<ReturnType<Download>>>();
  return (url, options) => downloads(url, () => download(url, options));
}
