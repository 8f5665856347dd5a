import { isIP, isIPv6 } from 'node:net';

/** The names of this service: each of `hosts`, and each of `domains` with all subdomains. */
export type AllowedHosts = { readonly hosts: ReadonlySet<string>; readonly domains: readonly string[] };

/** Settings that contain names of this service. */
export type ServiceNames = {
  readonly publicUrl: string | undefined;
  readonly dnsHost: string;
  readonly deviceDomain: string | undefined;
};

export function allowedHosts({ publicUrl, dnsHost, deviceDomain }: ServiceNames, machine: string): AllowedHosts {
  const [label = ''] = machine.split('.');
  const hosts = [machine, label, `${label}.local`, publicUrl && URL.parse(publicUrl)?.host];
  const namesIn = (candidates: readonly (string | undefined)[]): string[] =>
    candidates.flatMap((host) => nameIn(host ?? '') ?? []);
  return { hosts: new Set(namesIn(hosts)), domains: namesIn(['localhost', dnsHost, deviceDomain]) };
}

/**
 * Whether the Host header is a name of this service. With a foreign name that resolves to 127.0.0.1, a browser would treat the attacker's
 * page as the same origin; that is not possible with IP addresses and names of this service.
 */
export function isAllowedHost(host: string, { hosts, domains }: AllowedHosts): boolean {
  const name = nameIn(host);
  if (name === undefined) return false;
  return (
    isIP(name) !== 0 || hosts.has(name) || domains.some((domain) => name === domain || name.endsWith(`.${domain}`))
  );
}

/** The normalised name or address of `name:port`. */
function nameIn(host: string): string | undefined {
  const [, ipv6, name] = /^(?:\[([^\]]*)\]|([^:[\]]+?)\.?)(?::\d{0,5})?$/.exec(host.toLowerCase()) ?? [];
  if (ipv6 !== undefined) return isIPv6(ipv6) ? ipv6 : undefined;
  return name;
}
