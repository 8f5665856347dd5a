import type { Logger } from 'pino';
import type { Dns } from './open-dns.ts';
import type { Place } from './thread-messages.ts';

export type Where = { readonly [On in 'dns' | 'dot' | 'doh']?: Place };

type On = 'dns' | 'dot' | 'doh';
type Plain = Pick<Dns, 'listen' | 'unlisten' | 'listenUdp'>;

// Where to listen when nobody said where and the usual port cannot be had; then any.
const instead: Readonly<Record<On, number>> = { dns: 5300, dot: 8853, doh: 8443 };
const titles: Readonly<Record<On, string>> = { dns: 'plain DNS', dot: 'DNS over TLS', doh: 'DNS over HTTPS' };

const wayOut: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program has it. If that is systemd-resolved: set DNSStubListener=no in /etc/systemd/resolved.conf and restart it; or choose an address of its own, as --dns 192.168.1.2:53',
  EACCES:
    'this user may not take ports below 1024. Run as root, give the program the right (setcap cap_net_bind_service=+ep on the node binary), or let the system allow it (sysctl net.ipv4.ip_unprivileged_port_start=53)',
};

/** Listens wherever the settings say. Only where they say nothing may it be another port, and people are told how to get the usual one. */
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

/** A fault says where, as those of the system do; those of other threads have lost it on the way. */
const namingPlace =
  (open: Open): Open =>
  (place) =>
    open(place).catch((error: unknown) => {
      throw Object.assign(error as Error, { address: place.host, port: place.port });
    });

const TRIES = 10;

/** TCP first: whatever port it gets, UDP gets the same. Where any will do, and somebody has that one over UDP, it is another. */
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

/** A machine without IPv6 still has all of its other addresses. */
async function orFour(place: Place, open: Open): Promise<Place> {
  try {
    return await open(place);
  } catch (error) {
    if (place.host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    return open({ ...place, host: '0.0.0.0' });
  }
}
