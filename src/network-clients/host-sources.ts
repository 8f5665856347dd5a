import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { parseHostsFile } from '../domain/hosts-file.ts';
import { formatIp } from '../kit/ip-address.ts';
import { parseDefaultGateway } from './default-gateway.ts';
import { type Lease, parseLeases } from './leases.ts';
import { type Neighbour, parseArpTable, parseIpNeighbours } from './neighbours.ts';

export type HostSourceOptions = {
  /** Lease files; empty for the default paths of DHCP servers. */
  readonly leaseFiles: readonly string[];
  readonly hostsFile?: string;
  readonly now: () => number;
  /** Called once for a file or program that cannot be used. */
  readonly onProblem: (problem: string, error: unknown) => void;
};

// Debian and Fedora (dnsmasq, ISC dhcpd), Pi-hole, Kea.
const usualLeaseFiles = [
  '/var/lib/misc/dnsmasq.leases',
  '/var/lib/dnsmasq/dnsmasq.leases',
  '/etc/pihole/dhcp.leases',
  '/var/lib/dhcp/dhcpd.leases',
  '/var/lib/dhcpd/dhcpd.leases',
  '/var/lib/kea/kea-leases4.csv',
  '/var/lib/kea/kea-leases6.csv',
];
// Only used on OpenWrt, because on other systems every user may create files in /tmp.
const openWrt = { release: '/etc/openwrt_release', leases: '/tmp/dhcp.leases' };

const MAX_FILE_BYTES = 16 << 20;
const IP_TIMEOUT_MS = 2000;

/** Reads the tables and files of this machine that describe hosts of the local network. */
export function hostSources({ leaseFiles, hostsFile = '/etc/hosts', now, onProblem }: HostSourceOptions) {
  const usual = [...usualLeaseFiles, ...(existsSync(openWrt.release) ? [openWrt.leases] : [])];
  const leases = (leaseFiles.length > 0 ? leaseFiles : usual).map((path) =>
    cachedFile<readonly Lease[]>(path, (text) => parseLeases(text, now()), {
      empty: [],
      // Not reported: on most machines, a default file is missing, or only readable by root.
      onProblem: leaseFiles.length > 0 ? onProblem : () => undefined,
    }),
  );
  const hosts = cachedFile(hostsFile, parseHosts, { empty: [], onProblem });
  const ipNeighbours = ipProgram(onProblem);
  return {
    neighbours: async (): Promise<readonly Neighbour[]> => [
      ...parseArpTable(await procFile('/proc/net/arp')),
      ...(await ipNeighbours()),
    ],
    leases: async (): Promise<readonly Lease[]> => (await Promise.all(leases.map((read) => read()))).flat(),
    hosts,
    gateway: async (): Promise<string | undefined> => parseDefaultGateway(await procFile('/proc/net/route')),
  };
}

export type HostSources = ReturnType<typeof hostSources>;

const parseHosts = (text: string) =>
  parseHostsFile(text).entries.map(({ address, names }) => ({ address: formatIp(address), names }));

/** Empty on systems without it. */
const procFile = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

type CacheOptions<T> = { readonly empty: T; readonly onProblem: HostSourceOptions['onProblem'] };

/** Reads a file again when its size or time has changed. */
function cachedFile<T>(path: string, parse: (text: string) => T, { empty, onProblem }: CacheOptions<T>) {
  let cached: { readonly version: string; readonly value: T } | undefined;
  let isReported = false;
  return async (): Promise<T> => {
    try {
      const { mtimeMs, size } = await stat(path);
      const version = `${mtimeMs} ${size}`;
      if (cached?.version === version) return cached.value;
      if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
      cached = { version, value: parse(await readFile(path, 'utf8')) };
      isReported = false;
      return cached.value;
    } catch (error) {
      if (!isReported) onProblem(`cannot read ${path}`, error);
      isReported = true;
      cached = undefined;
      return empty;
    }
  };
}

const run = promisify(execFile);

/** The IPv6 neighbours are available by netlink only: `ip` of iproute2 or BusyBox reads them. */
function ipProgram(onProblem: HostSourceOptions['onProblem']) {
  let isUsable = true;
  return async (): Promise<readonly Neighbour[]> => {
    if (!isUsable || !hasIpv6()) return [];
    try {
      const { stdout } = await run('ip', ['-6', 'neigh'], { timeout: IP_TIMEOUT_MS, maxBuffer: MAX_FILE_BYTES });
      return parseIpNeighbours(stdout);
    } catch (error) {
      isUsable = false;
      onProblem('cannot run "ip -6 neigh": IPv6 clients have no MAC address', error);
      return [];
    }
  };
}

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family, internal }) => family === 'IPv6' && !internal),
  );
