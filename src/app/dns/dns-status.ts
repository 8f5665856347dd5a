import type { UpstreamsStatus } from '../../resolver/upstream/open-upstreams.ts';

/** What the dns thread tells of itself. */
export type DnsStatus = {
  readonly upstreams: UpstreamsStatus;
  readonly cache: { readonly entries: number; readonly bytes: number };
  readonly directory: unknown;
  readonly listeners: { readonly counts: unknown; readonly certificateExpiresAt: number | undefined };
  readonly prefetched: number;
};
