import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { localNetworkAddresses } from '../../platform/own-addresses.ts';
import { readUpstreamSettings } from '../../resolver/upstream/upstream-settings.ts';
import { PRIVATE_ADDRESSES } from '../../settings/setting-kinds.ts';
import type { Settings } from '../../settings/settings.ts';
import type { AskedServer, askServer } from './ask-server.ts';
import { type Finding, fine, problem, warning } from './finding.ts';

type Address = { readonly host: string; readonly port: number };

const listeners = [
  { name: 'dns', title: 'plain DNS', protocols: ['udp', 'tcp'] },
  { name: 'dot', title: 'DNS over TLS', protocols: ['tcp'] },
  { name: 'doh', title: 'DNS over HTTPS', protocols: ['tcp'] },
  { name: 'http', title: 'web interface', protocols: ['tcp'] },
] as const;

export type PortState = 'free' | 'in use' | 'not allowed' | 'no such address';

const states: Readonly<Record<string, PortState>> = {
  EADDRINUSE: 'in use',
  EACCES: 'not allowed',
  EADDRNOTAVAIL: 'no such address',
};

const bindHost = (host: string): string => (host === '' || host === PRIVATE_ADDRESSES ? '::' : host);

async function stateOf({ host, port }: Address, protocol: 'udp' | 'tcp'): Promise<PortState> {
  try {
    if (protocol === 'tcp') {
      const server = createServer();
      server.listen({ host: bindHost(host), port });
      await once(server, 'listening');
      server.close();
    } else {
      const socket = createSocket(isIPv6(bindHost(host)) ? 'udp6' : 'udp4');
      socket.bind({ address: bindHost(host), port, exclusive: true });
      await once(socket, 'listening');
      socket.close();
    }
    return 'free';
  } catch (error) {
    const state = states[(error as NodeJS.ErrnoException).code ?? ''];
    if (state) return state;
    throw error;
  }
}

const INSTALL = 'Start it as root (it then runs as another user), with the systemd unit, or choose ports from 1024 on.';

/** `isRunning`: the service is running, so its ports are expected to be in use. */
export async function checkPorts(settings: Settings, isRunning: boolean): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, title, protocols } of listeners) {
    const address = settings[name];
    if (address === 'off') continue;
    for (const protocol of protocols)
      findings.push(
        portFinding(`${title} (${protocol} port ${address.port})`, await stateOf(address, protocol), isRunning),
      );
  }
  return findings;
}

export function portFinding(title: string, state: PortState, isRunning: boolean): Finding {
  switch (state) {
    case 'free':
      return isRunning
        ? warning(
            'ports',
            `${title}: the service runs, but does not listen there`,
            'Compare its settings with those of this command.',
          )
        : fine('ports', `${title}: free`);
    case 'in use':
      return isRunning
        ? fine('ports', `${title}: in use, and the service runs`)
        : problem(
            'ports',
            `${title}: another program uses it`,
            'Find it with "ss -lnptu"; for systemd-resolved set DNSStubListener=no in /etc/systemd/resolved.conf.',
          );
    case 'not allowed':
      return problem('ports', `${title}: this user may not use it`, INSTALL);
    case 'no such address':
      return problem('ports', `${title}: this machine does not have the address`, 'Correct the setting.');
  }
}

/** Detects settings that use this program as its own upstream, directly or through the resolver of the system. */
export async function checkUpstreams(settings: Settings, ask: typeof askServer): Promise<readonly Finding[]> {
  const listening = settings.dns === 'off' ? [] : [{ address: bindHost(settings.dns.host), port: settings.dns.port }];
  const read = readUpstreamSettings({ upstreams: settings.upstream, bootstrap: settings.bootstrap }, { listening });
  if (!read.ok)
    return read.error.map((text) => problem('upstreams', text, 'Correct the settings upstream and bootstrap.'));
  return Promise.all(
    settings.upstream.map(async (text) => {
      const answer = await ask(text, settings.bootstrap);
      return upstreamFinding(text, answer);
    }),
  );
}

export const upstreamFinding = (text: string, answer: AskedServer): Finding =>
  answer.kind === 'answer'
    ? fine('upstreams', `${text} answers in ${answer.ms} ms`)
    : problem(
        'upstreams',
        `${text} does not answer: ${answer.why}`,
        'Check the internet connection and firewall; port 853 is needed for tls://, 443 for https://.',
      );

/** Queries the running service at the addresses that other machines use. */
export async function checkLan(settings: Settings, ask: typeof askServer): Promise<readonly Finding[]> {
  if (settings.dns === 'off') return [];
  const { host, port } = settings.dns;
  const addresses = localNetworkAddresses();
  if (addresses.length === 0)
    return [
      warning('network', 'this machine has no private address', 'Other machines cannot reach it in a local network.'),
    ];
  if (host !== '' && host !== '::' && host !== '0.0.0.0' && !addresses.includes(host))
    return [
      warning('network', `plain DNS listens on ${host} only`, 'Use --dns :53 so that other machines can reach it.'),
    ];
  return Promise.all(
    addresses.map(async (address) => {
      const at = isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
      const answer = await ask(at, []);
      return answer.kind === 'answer'
        ? fine('network', `DNS answers at ${at}`)
        : problem('network', `DNS does not answer at ${at}: ${answer.why}`, 'Check the firewall of this machine.');
    }),
  );
}
