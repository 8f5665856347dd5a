import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

// Formats that JSON schema cannot express. Each function returns the value, or undefined if the text is invalid.

export type ListenAddress = { readonly host: string; readonly port: number };

export const MAX_PORT = 65_535;
// Accepts IPv4 connections too, unless the system sets bindv6only.
const ALL_ADDRESSES = '::';

export function listenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:\[(?<ipv6>[^\]]*)\]|(?<name>[^:[\]]*)):(?<port>\d{1,5})$/.exec(text);
  const { ipv6, name, port } = match?.groups ?? {};
  const host = ipv6 ?? (name === '' ? ALL_ADDRESSES : name);
  const isHost = ipv6 === undefined ? name === '' || isIP(name ?? '') !== 0 || isHostName(name ?? '') : isIPv6(ipv6);
  return host === undefined || !isHost || Number(port) > MAX_PORT ? undefined : { host, port: Number(port) };
}

export function hostName(text: string): string | undefined {
  // domainToASCII silently drops the part of a URL after the host name.
  const name = /[/?#\\%]/.test(text) ? '' : domainToASCII(text).replace(/\.$/, '');
  return isHostName(name) ? name : undefined;
}

/** URL parsers read a name that ends in a number as an IPv4 address. */
const isHostName = (text: string): boolean =>
  text.length <= 253 &&
  text.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label)) &&
  !/(^|\.)\d+$/.test(text);

/** A host name with an optional port. */
export function hostWithPort(text: string): string | undefined {
  const [, name = '', port = ''] = /^([^:]+)((?::\d{1,5})?)$/.exec(text) ?? [];
  const host = hostName(name);
  return host === undefined ? undefined : host + port;
}

/** A public domain, or all subdomains of one as `*.d.example.org`. */
export function certificateDomain(text: string): string | undefined {
  const [, wildcard = '', name = ''] = /^(\*\.)?(.*)$/.exec(text) ?? [];
  const host = hostName(name);
  return host?.includes('.') && !host.includes('_') ? wildcard + host.toLowerCase() : undefined;
}

const acmeDirectories: Readonly<Record<string, string>> = {
  letsencrypt: 'https://acme-v02.api.letsencrypt.org/directory',
  'letsencrypt-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
};

export const acmeDirectoryNames: readonly string[] = Object.keys(acmeDirectories);

export function acmeDirectoryUrl(text: string): string | undefined {
  if (Object.hasOwn(acmeDirectories, text)) return acmeDirectories[text];
  return URL.parse(text)?.protocol === 'https:' ? text : undefined;
}

/** The address of an IPv6 network written as `2001:db8::/96`. */
export function addressOfNetwork96(text: string): string | undefined {
  const [address = '', bits] = text.split('/');
  return isIPv6(address) && bits === '96' ? address : undefined;
}

/** `ID=URI`: an OAuth client and its redirect URI. */
export function clientRedirect(text: string): { readonly id: string; readonly redirectUri: string } | undefined {
  const [, id = '', redirectUri = ''] = /^([\w.-]{1,64})=(.+)$/.exec(text) ?? [];
  return URL.canParse(redirectUri) ? { id, redirectUri } : undefined;
}

/** `DOMAIN=SERVER`; the server is not checked. */
export function domainForward(text: string): { readonly domain: string; readonly upstream: string } | undefined {
  const [, name = '', upstream = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const domain = hostName(name);
  return domain === undefined ? undefined : { domain, upstream };
}

export const isValkeyUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
};

/** A whole number with an optional unit. */
export function quantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+) ?([a-z]*)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor;
}
