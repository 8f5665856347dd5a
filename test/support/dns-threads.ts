import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { type Dns, openDns } from '../../src/dns-server/open-dns.ts';
import { createRingMemory } from '../../src/query-log/ingest/record-ring.ts';
import { isUdpBatchPossible } from '../../src/resolver/transport/udp-mmsg.ts';

const UDP_THREADS = isUdpBatchPossible() === true ? 2 : 0;

/** The answering threads, without accounts and upstreams. */
export function startThreads(t: TestContext): Dns {
  const dns = openDns({
    answering: {
      secret: new Uint8Array(8),
      cookieSecret: new Uint8Array(16),
      productName: 'Weir',
      queriesPerTenSeconds: { address: 1_000_000, network: 1_000_000 },
      unlimitedClients: [],
      privateAnswers: 'allow',
      privateDomains: [],
      forwardedDomains: [],
      sendsClientSubnet: false,
      geoDatabases: [],
      challengeZones: [],
      services: [],
      categories: [],
    },
    dns: {
      upstreams: { upstreams: ['127.0.0.1:9'] },
      allowNetworks: [],
      extraCa: [],
      identify: {
        deviceDomain: 'd.example.org',
        deviceNetwork: undefined,
        dedicatedPool: [],
        unknownClients: 'refuse',
        wrongIdsPerMinute: 20,
      },
      designated: { dohHost: 'd.example.org', deviceDomain: 'd.example.org', addresses: [] },
      certificates: [],
      proxies: [],
      web: { from: 'off', forwarders: [], timeoutMs: 1000 },
      connections: { total: 10, perClient: 10 },
      sharePorts: false,
      listening: [],
    },
    cacheBytes: 1024 * 1024,
    udpThreads: UDP_THREADS,
    rings: Array.from({ length: UDP_THREADS + 1 }, () => createRingMemory(65_536)),
    clientIdPort: new MessageChannel().port1,
    change: async () => false,
    report: (problem, error) => assert.fail(`${problem} ${error}`),
    onLost: (error) => assert.fail(error),
  });
  t.after(() => dns.stop());
  return dns;
}
