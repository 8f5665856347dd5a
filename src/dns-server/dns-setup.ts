import type { MessagePort } from 'node:worker_threads';
import type { ProfileId } from '../domain/ids.ts';
import type { Designated } from '../resolver/pipeline/designated-resolvers.ts';
import type { TicketSecret } from '../resolver/transport/ticket-keys.ts';
import type { UpstreamTexts } from '../resolver/upstream/upstream-settings.ts';
import type { AnsweringSetup, ConnectionSettings } from './thread-messages.ts';

/** Start data of the resolver thread. */
export type DnsSetup = {
  readonly answering: AnsweringSetup;
  readonly upstreams: UpstreamTexts;
  /** Private networks in which accounts may have upstreams. */
  readonly allowNetworks: readonly string[];
  readonly extraCa: readonly string[];
  readonly identify: {
    readonly deviceDomain: string;
    readonly deviceNetwork: string | undefined;
    readonly dedicatedPool: readonly string[];
    readonly unknownClients: 'refuse' | ProfileId;
    readonly wrongIdsPerMinute: number;
  };
  readonly designated: Omit<Designated, 'dohPort' | 'dotPort'>;
  /** With keys of different types; the client chooses. */
  readonly certificates: readonly { readonly certFile: string; readonly keyFile: string }[];
  /** Of TLS session tickets; undefined: each listener has its own. */
  readonly ticketSecret?: TicketSecret | undefined;
  readonly proxies: readonly string[];
  /** Requests at the listener for DNS over HTTPS that are not DNS queries. */
  readonly web: {
    readonly from: 'private' | 'on' | 'off';
    /** HTTP proxies whose X-Forwarded-For header is trusted. */
    readonly forwarders: readonly string[];
    /** Time without a byte in either direction. */
    readonly timeoutMs: number;
  };
  /** Limits of each listener for TCP, TLS and HTTPS. */
  readonly connections: ConnectionSettings;
  /** Whether another process may listen on the same ports. */
  readonly sharePorts: boolean;
  /** Our own addresses: upstreams there would be a loop. */
  readonly listening: readonly { readonly address: string; readonly port: number }[];
  /** To the ingest thread: the meaning of ids. */
  readonly clientIdPort: MessagePort;
};
