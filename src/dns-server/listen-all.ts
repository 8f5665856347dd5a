import type { Logger } from 'pino';
import type { Dns } from './open-dns.ts';
import type { Place } from './thread-messages.ts';

export type Where = { readonly [On in 'dns' | 'dot' | 'doh']?: Place };

type On = 'dns' | 'dot' | 'doh';
type Plain = Pick<Dns, 'listen' | 'unlisten' | 'listenUdp'>;

// Port to use if the default port is unavailable and none is configured; after that any port.
const instead: Readonly<Record<On, number>> = { dns: 5300, dot: 8853, doh: 8443 };
const titles: Readonly<Record<On, string>> = { dns: 'plain DNS', dot: 'DNS over TLS', doh: 'DNS over HTTPS' };

const wayOut: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program uses it. If that is systemd-resolved: set DNSStubListener=no in /etc/systemd/resolved.conf and restart it; or choose one address, as in --dns 192.168.1.2:53',
  EACCES:
    'this user may not bind ports below 1024. Run as root, grant the capability (setcap cap_net_bind_service=+ep on the node binary), or lower the limit (sysctl net.ipv4.ip_unprivileged_port_start=53)',
};

/** Listens on the configured addresses. Another port is used only where none is configured, and the log says how to get the default one. */
export async function listenAll(
  dns: Plain,
  settings: Readonly<Record<On, Place | 'off'>>,
  isDefault: (name: On) => boolean,
  log: Pick<Logger, 'warn'>,
): Promise<Where> {
  const where: { [Key in On]?: Place } = {};
  for (const on of ['dns', 'dot', 'doh'] as const) {
    const wanted = settings[on];
    if (wanted === 'off') continue;
    const open = namingPlace((place) => (on === 'dns' ? plain(dns, place) : dns.listen(on, place)));
    where[on] = isDefault(on) ? await orElsewhere(on, wanted, open, log) : await orFour(wanted, open);
  }
  return where;
}

type Open = (place: Place) => Promise<Place>;

/** Adds address and port to an error, like those of the system; errors of other threads lose them. */
const namingPlace =
  (open: Open): Open =>
  (place) =>
    open(place).catch((error: unknown) => {
      throw Object.assign(error as Error, { address: place.host, port: place.port });
    });

const TRIES = 10;

/** TCP first; UDP gets the same port. If any port will do and that one is in use over UDP, another one is tried. */
async function plain(dns: Plain, place: Place, tries = TRIES): Promise<Place> {
  const { port } = await dns.listen('tcp', place);
  try {
    return await dns.listenUdp({ host: place.host, port });
  } catch (error) {
    await dns.unlisten('tcp');
    const isAnother = place.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!isAnother || tries === 1) throw error;
    return plain(dns, place, tries - 1);
  }
}

async function orElsewhere(on: On, wanted: Place, open: Open, log: Pick<Logger, 'warn'>): Promise<Place> {
  try {
    return await orFour(wanted, open);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const got = await orFour({ ...wanted, port: instead[on] }, open).catch(() => orFour({ ...wanted, port: 0 }, open));
    log.warn(
      { wanted: wanted.port, port: got.port },
      `${titles[on]} cannot listen on port ${wanted.port}, so it listens on ${got.port}: ${wayOut[code] ?? message}`,
    );
    return got;
  }
}

/** Without IPv6 the wildcard address is 0.0.0.0. */
async function orFour(place: Place, open: Open): Promise<Place> {
  try {
    return await open(place);
  } catch (error) {
    if (place.host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    return open({ ...place, host: '0.0.0.0' });
  }
}
