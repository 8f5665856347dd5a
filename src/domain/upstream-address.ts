import { formatIp, parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';

export type UpstreamAddress = {
  readonly kind: UpstreamKind;
  /** An IP address or a name. Certificates of tls and https upstreams must be valid for it. */
  readonly host: string;
  readonly port: number;
  /** Address of the host, so that no lookup is needed. */
  readonly address?: string;
  /** Only for https; otherwise empty. */
  readonly path: string;
  /** Normalised form for logs and metrics. */
  readonly text: string;
};

type UpstreamKind = 'udp' | 'tcp' | 'tls' | 'https';

const ports: Readonly<Record<UpstreamKind, number>> = { udp: 53, tcp: 53, tls: 853, https: 443 };
const isKind = (scheme: string): scheme is UpstreamKind => Object.hasOwn(ports, scheme);

// Schemes that other programs support, with alternatives.
const unsupported: Readonly<Record<string, string>> = {
  h3: 'DNS over HTTP/3 to upstreams is not supported; write https:// instead of h3://',
  quic: 'DNS over QUIC to upstreams is not supported; write tls:// or https:// instead of quic://',
  sdns: 'DNS stamps and DNSCrypt are not supported; write the address of the server with tls:// or https://',
  http: 'DNS over plain HTTP is not supported; write https://',
};

/** `1.1.1.1`, `[2606::1]:53`, `tcp://1.1.1.1`, `tls://name:853#1.2.3.4`, `tls://1.1.1.1#name`, `https://name/dns-query`. */
export function parseUpstream(text: string): Result<UpstreamAddress, string> {
  const trimmed = text.trim();
  const [, scheme = 'udp', rest = ''] = /^(?:([a-z0-9]+):\/\/)?(.*)$/is.exec(trimmed) ?? [];
  const kind = scheme.toLowerCase();
  const no = (why: string): Result<never, string> => err(`upstream "${shown(trimmed)}": ${why}`);
  if (rest === '') return no('the address is missing');
  if (Object.hasOwn(unsupported, kind)) return no(unsupported[kind]!);
  if (!isKind(kind)) return no(`${kind}:// is not supported; use udp://, tcp://, tls:// or https://`);
  if (/[\s@\\]/.test(rest)) return no('the address must not contain spaces or a user name');

  const [location = '', after, ...more] = rest.split('#');
  if (more.length > 0) return no('more than one #');
  const [authority, path] = kind === 'https' ? splitPath(location) : [location, ''];
  const found = hostAndPort(authority);
  if (!found) return no('must be an IP address or a host name, with an optional port');
  const { host, port = ports[kind] } = found;
  if (port === 0 || port > 65_535) return no('the port must be a number from 1 to 65535');
  if (path === undefined) return no('the path has characters that are not allowed in a URL');
  if (after === undefined) return ok(addressOf({ kind, host, port, path }));

  if (kind !== 'tls' && kind !== 'https') return no('only tls:// and https:// accept an address or name after #');
  const beside = ipText(after) ?? hostName(after);
  if (beside === undefined) return no('after # must follow an IP address or a host name');
  const isHostIp = parseIp(host) !== undefined;
  if (isHostIp === (parseIp(beside) !== undefined))
    return no(isHostIp ? 'a second IP address follows #' : 'a second name follows #');
  return ok(addressOf({ kind, host: isHostIp ? beside : host, port, path, address: isHostIp ? host : beside }));
}

function addressOf(parts: Omit<UpstreamAddress, 'text'>): UpstreamAddress {
  const { kind, host, port, path, address } = parts;
  const portText = port === ports[kind] ? '' : `:${port}`;
  const withPort = `${host.includes(':') ? `[${host}]` : host}${portText}`;
  const beside = address === undefined ? '' : `#${address}`;
  const plain = host.includes(':') && portText === '' ? host : withPort;
  return { ...parts, text: kind === 'udp' ? plain : `${kind}://${withPort}${path}${beside}` };
}

/** Splits `host:port/path`. The default path is that of RFC 8484; the variable of a URI template is removed. */
function splitPath(location: string): [string, string | undefined] {
  const slash = location.indexOf('/');
  if (slash === -1) return [location, '/dns-query'];
  const path = location.slice(slash).replace(/\{\?dns\}$/, '');
  return [
    location.slice(0, slash),
    /^\/[!$-;=?-Z_a-z~]*$/.test(path) ? (path === '/' ? '/dns-query' : path) : undefined,
  ];
}

function hostAndPort(authority: string): { host: string; port?: number } | undefined {
  // An IPv6 address without brackets has no port.
  const bare = ipText(authority);
  if (bare !== undefined) return { host: bare };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const host = bracketed === undefined ? (ipText(plain ?? '') ?? hostName(plain ?? '')) : ipText(bracketed);
  if (host === undefined) return undefined;
  return port === undefined ? { host } : { host, port: Number(port) };
}

function ipText(text: string): string | undefined {
  // Link-local addresses need a zone.
  const [, address = '', zone = ''] = /^([^%]*)(%[\w.-]{1,15})?$/.exec(text) ?? [];
  const ip = parseIp(address);
  if (!ip || (zone !== '' && ip.family === 'V4')) return undefined;
  return `${formatIp(ip)}${zone}`;
}

function hostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  // The last label has a letter: 1.2.3 or 1.2.3.256 is a mistyped address.
  const isName =
    name.length <= 253 &&
    /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
  return isName && /[a-z][^.]*$/.test(name) ? name : undefined;
}

const shown = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '\u{FFFD}');
