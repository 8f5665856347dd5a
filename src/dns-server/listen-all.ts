import type { Logger } from 'pino';
import type { Endpoint } from '../resolver/transport/listener.ts';
import type { Dns } from './open-dns.ts';

export type ListenAddresses = { readonly [Service in 'dns' | 'dot' | 'doh']?: Endpoint };

type Service = 'dns' | 'dot' | 'doh';
type Plain = Pick<Dns, 'listen' | 'unlisten' | 'listenUdp' | 'unlistenUdp'>;

// Port to use if the default port is unavailable and none is configured; after that any port.
const alternativePorts: Readonly<Record<Service, number>> = { dns: 5300, dot: 8853, doh: 8443 };
const titles: Readonly<Record<Service, string>> = { dns: 'plain DNS', dot: 'DNS over TLS', doh: 'DNS over HTTPS' };

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program uses it. If that is systemd-resolved: set DNSStubListener=no in /etc/systemd/resolved.conf and restart it; or choose one address, as in --dns 192.168.1.2:53',
  EACCES:
    'this user may not bind ports below 1024. Run as root, grant the capability (setcap cap_net_bind_service=+ep on the node binary), or lower the limit (sysctl net.ipv4.ip_unprivileged_port_start=53)',
};

/** Listens on the configured addresses. Another port is used only where none is configured, and the log says how to get the default one. */
export async function listenAll(
  dns: Plain,
  settings: Readonly<Record<Service, Endpoint | 'off'>>,
  isDefault: (name: Service) => boolean,
  log: Pick<Logger, 'warn'>,
): Promise<ListenAddresses> {
  const where: { [Key in Service]?: Endpoint } = {};
  for (const on of ['dns', 'dot', 'doh'] as const) {
    const wanted = settings[on];
    if (wanted === 'off') continue;
    const open = withEndpoint((endpoint) => (on === 'dns' ? plain(dns, endpoint) : dns.listen(on, endpoint)));
    where[on] = isDefault(on) ? await orAlternativePort(on, wanted, open, log) : await orIpv4(wanted, open);
  }
  return where;
}

type Open = (endpoint: Endpoint) => Promise<Endpoint>;

/** Adds address and port to an error, like those of the system; errors of other threads lose them. */
const withEndpoint =
  (open: Open): Open =>
  (endpoint) =>
    open(endpoint).catch((error: unknown) => {
      throw Object.assign(error as Error, { address: endpoint.host, port: endpoint.port });
    });

const TRIES = 10;

/** UDP and TCP at one port. UDP first, because clients query it first; if any port will do, TCP chooses it. */
const plain = (dns: Plain, endpoint: Endpoint): Promise<Endpoint> =>
  endpoint.port === 0 ? atAnyPort(dns, endpoint.host) : atPort(dns, endpoint);

async function atPort(dns: Plain, endpoint: Endpoint): Promise<Endpoint> {
  const bound = await dns.listenUdp(endpoint);
  try {
    await dns.listen('tcp', endpoint);
    return bound;
  } catch (error) {
    await dns.unlistenUdp();
    throw error;
  }
}

/** Tries another port if the one of TCP is in use over UDP. */
async function atAnyPort(dns: Plain, host: string, tries = TRIES): Promise<Endpoint> {
  const { port } = await dns.listen('tcp', { host, port: 0 });
  try {
    return await dns.listenUdp({ host, port });
  } catch (error) {
    await dns.unlisten('tcp');
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 1) throw error;
    return atAnyPort(dns, host, tries - 1);
  }
}

async function orAlternativePort(
  on: Service,
  wanted: Endpoint,
  open: Open,
  log: Pick<Logger, 'warn'>,
): Promise<Endpoint> {
  try {
    return await orIpv4(wanted, open);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const got = await orIpv4({ ...wanted, port: alternativePorts[on] }, open).catch(() =>
      orIpv4({ ...wanted, port: 0 }, open),
    );
    log.warn(
      { wanted: wanted.port, port: got.port },
      `${titles[on]} cannot listen on port ${wanted.port}, so it listens on ${got.port}: ${remedies[code] ?? message}`,
    );
    return got;
  }
}

/** Without IPv6 the wildcard address is 0.0.0.0. */
async function orIpv4(endpoint: Endpoint, open: Open): Promise<Endpoint> {
  try {
    return await open(endpoint);
  } catch (error) {
    if (endpoint.host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    return open({ ...endpoint, host: '0.0.0.0' });
  }
}
