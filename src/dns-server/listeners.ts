import { randomBytes } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { MessagePort } from 'node:worker_threads';
import { createPortStreams } from '../platform/port-streams.ts';
import { type IsInNetworks, networkSet } from '../resolver/identity/networks.ts';
import { type Certificates, openCertificates } from '../resolver/transport/certificates.ts';
import { clientLimit, clientLimitMemory } from '../resolver/transport/client-limit.ts';
import { defaultConnectionLimits, type Origin } from '../resolver/transport/connections.ts';
import { listenDoh } from '../resolver/transport/doh.ts';
import type { Answers, Endpoint, Listening, Report } from '../resolver/transport/listener.ts';
import type { Staple } from '../resolver/transport/staples.ts';
import { listenDot, listenTcp } from '../resolver/transport/stream.ts';
import type { TcpListener } from '../resolver/transport/tcp-listener.ts';
import { ticketKeys } from '../resolver/transport/ticket-keys.ts';
import { listenUdp } from '../resolver/transport/udp-dgram.ts';
import { createWeb } from '../resolver/transport/web-requests.ts';
import { connectionLimits, readDescriptors } from './descriptor-limits.ts';
import type { DnsSetup } from './dns-setup.ts';
import { maxAge } from './max-age.ts';
import type { CertificateChallenges, Listener } from './thread-messages.ts';

/** Per network (/24, /56), over TLS and HTTPS together: a handshake costs as much as a hundred queries. */
const HANDSHAKES_A_SECOND = 100;

type ListenerSettings = Pick<
  DnsSetup,
  'certificates' | 'ticketSecret' | 'proxies' | 'connections' | 'web' | 'sharePorts'
> & {
  readonly isUnlimited: IsInNetworks;
};

/** The sockets of the resolver thread. */
export function openListeners(settings: ListenerSettings, report: Report, handshakesPerSecond = HANDSHAKES_A_SECOND) {
  const { certificates: files, proxies, connections, isUnlimited, web: webSettings, sharePorts } = settings;
  const open = new Map<Listener, Listening & Partial<Pick<TcpListener, 'counts' | 'useLimits'>>>();
  const trusted = proxies.length > 0 ? { proxies: networkSet(proxies) } : {};
  // Read before listening; otherwise open connections would count as used.
  const descriptors = readDescriptors();
  const limitsFor = ({ total, perClient }: DnsSetup['connections']) => ({
    ...connectionLimits(descriptors, total),
    perClient,
  });
  let limits = limitsFor(connections);
  const timeoutMs = { ...defaultConnectionLimits.timeoutMs, web: webSettings.timeoutMs };
  let webStreams: ReturnType<typeof createPortStreams<Origin>> | undefined;
  const web =
    webSettings.from === 'off'
      ? undefined
      : createWeb({
          from: webSettings.from,
          forwarders: networkSet(webSettings.forwarders),
          connect: (origin) => webStreams?.connect(origin),
        });
  const usual = { ...trusted, reusePort: sharePorts, report };
  const handshakes = clientLimit({
    memory: clientLimitMemory(4096),
    secret: randomBytes(8),
    queries: handshakesPerSecond,
    seconds: 1,
    isExempt: isUnlimited,
  });
  const tickets = settings.ticketSecret && { ticketKeys: ticketKeys(settings.ticketSecret) };
  let opened: Certificates | undefined;
  let challenges: ReadonlyMap<string, SecureContext> = new Map();
  const challengeOf = (domain: string): SecureContext | undefined => challenges.get(domain.toLowerCase());
  let staples: ReadonlyMap<string, Staple> = new Map();
  const stapleOf = (fingerprint: string): Uint8Array | undefined => {
    const staple = staples.get(fingerprint);
    return staple && staple.endsAt > Date.now() ? staple.response : undefined;
  };

  const certificates = async (): Promise<Certificates> => {
    if (opened) return opened;
    const made = await openCertificates({ files, report });
    if (!made.ok) throw new Error(made.error);
    opened = made.value;
    return opened;
  };

  const encrypted = { ...tickets, handshakes, challengeOf, stapleOf };
  const listen: Readonly<Record<Listener, (at: Endpoint, answers: Answers) => Promise<Listening>>> = {
    udp: (at, answers) => listenUdp({ ...at, ...trusted, reusePort: sharePorts, report }, answers),
    tcp: (at, answers) => listenTcp({ ...at, ...usual, limits }, answers),
    dot: async (at, answers) =>
      listenDot({ ...at, ...usual, ...encrypted, limits, tls: await certificates() }, answers),
    doh: async (at, answers) =>
      listenDoh(
        {
          ...at,
          ...usual,
          ...encrypted,
          limits: { ...limits, timeoutMs },
          tls: await certificates(),
          maxAge,
          web,
        },
        answers,
      ),
  };

  return {
    async listen(on: Listener, at: Endpoint, answers: Answers): Promise<Endpoint> {
      const listening = await listen[on](at, answers);
      open.set(on, listening);
      return { host: listening.address.host, port: listening.address.port };
    },
    async unlisten(on: Listener): Promise<void> {
      await open.get(on)?.stop();
      open.delete(on);
    },
    useConnections(next: DnsSetup['connections']): void {
      limits = limitsFor(next);
      for (const { useLimits } of open.values()) useLimits?.(limits);
    },
    async reloadCertificates(): Promise<void> {
      await opened?.reload();
    },
    setChallenges(certificates: CertificateChallenges['certificates']): void {
      challenges = new Map(
        certificates.map(({ domain, cert, key }) => [domain.toLowerCase(), createSecureContext({ cert, key })]),
      );
    },
    useStaples(next: readonly Staple[]): void {
      staples = new Map(next.map((staple) => [staple.fingerprint, staple]));
    },
    serveWeb(port: MessagePort): void {
      webStreams = createPortStreams<Origin>(port);
      port.on('close', () => {
        webStreams = undefined;
      });
    },
    ports: () => ({ dohPort: open.get('doh')?.address.port, dotPort: open.get('dot')?.address.port }),
    status: () => ({
      counts: Object.fromEntries(Array.from(open, ([on, { counts }]) => [on, counts?.()])),
      certificates: opened?.state() ?? [],
      certificateExpiresAt: opened && Math.min(...opened.state().map(({ expiresAt }) => expiresAt)),
    }),
    async stop(): Promise<void> {
      await Promise.all(Array.from(open.values(), (listening) => listening.stop()));
      opened?.stop();
    },
  };
}
