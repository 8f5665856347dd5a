import type { ThreadLoad } from '../platform/thread-load.ts';
import type { IdentityCounts } from '../resolver/identity/identity-throttle.ts';
import type { CertificateState } from '../resolver/transport/certificates.ts';
import type { UpstreamsStatus } from '../resolver/upstream/open-upstreams.ts';
import type { QueryCounts } from './query-counts.ts';

/** Status of the resolver thread. */
export type DnsStatus = {
  readonly upstreams: UpstreamsStatus;
  readonly cache: { readonly entries: number; readonly bytes: number };
  readonly directory: { readonly accounts: number; readonly devices: number };
  readonly listeners: {
    readonly counts: unknown;
    readonly certificates: readonly CertificateState[];
    /** Of the certificate that expires first. */
    readonly certificateExpiresAt: number | undefined;
  };
  readonly prefetched: number;
  /** Of the sockets of the resolver thread; UDP threads count their own. */
  readonly queries: QueryCounts;
  readonly identities: IdentityCounts;
  /** Memory of cached regular-expression automata in the resolver thread. */
  readonly automatonBytes: number;
  /** Of the resolver thread. */
  readonly load: ThreadLoad;
};
