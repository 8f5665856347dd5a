import { isLoopback } from '../kit/private-address.ts';

type Listener = { readonly host: string; readonly port: number };

/** Listeners of encrypted DNS; `elsewhere`: another process answers DNS. */
export type EncryptedListeners = { readonly doh?: Listener; readonly dot?: Listener } | 'elsewhere';

const standardPorts = { doh: 443, dot: 853 } as const;

/** Whether clients that know no other port of DNS over TLS can connect. */
export const hasStandardPort = (dotDomain: string): boolean =>
  [undefined, String(standardPorts.dot)].includes(/:(\d+)$/.exec(dotDomain)?.[1]);

/** Names that other machines cannot use to reach this one (RFC 6761, 6.3). */
export const isLocalName = (host: string): boolean => {
  const name = withoutPort(host).replace(/\.$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || /^127(?:\.\d+){3}$/.test(name);
};

export const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

/**
 * The hosts that devices can be configured with; undefined if other machines cannot connect, or would reject the self-signed certificate. A
 * phone with such a profile would have no internet access.
 */
export function offeredHosts(
  settings: { readonly dnsHost: string; readonly deviceDomain: string | undefined },
  listeners: EncryptedListeners,
  isSelfSigned: boolean,
) {
  // A port in `dns-host` is that of DNS over HTTPS.
  const deviceDomain = settings.deviceDomain ?? withoutPort(settings.dnsHost);
  return {
    dohHost: offered(settings.dnsHost, 'doh', listeners, isSelfSigned),
    dotDomain: offered(deviceDomain, 'dot', listeners, isSelfSigned),
  };
}

function offered(
  host: string,
  protocol: 'doh' | 'dot',
  listeners: EncryptedListeners,
  isSelfSigned: boolean,
): string | undefined {
  if (isLocalName(host)) return undefined;
  if (listeners === 'elsewhere') return host;
  const listener = listeners[protocol];
  if (listener === undefined) return undefined;
  const hasPort = withoutPort(host) !== host;
  // On loopback a proxy of this machine receives the connections, with its own port and certificate.
  const isBehindProxy = isLoopback(listener.host);
  if (isSelfSigned && !isBehindProxy) return undefined;
  if (hasPort || listener.port === standardPorts[protocol] || isBehindProxy) return host;
  return `${host}:${listener.port}`;
}
