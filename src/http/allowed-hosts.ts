import { isIP, isIPv6 } from 'node:net';
import type { Settings } from '../settings/settings.ts';

/** Names that this service goes by: each of `hosts`, and each of `domains` with all that is below it. */
export type OwnNames = { readonly hosts: ReadonlySet<string>; readonly domains: readonly string[] };

type Named = Pick<Settings, 'publicUrl' | 'dnsHost' | 'deviceDomain'>;

export function ownNames({ publicUrl, dnsHost, deviceDomain }: Named, machine: string): OwnNames {
  const [label = ''] = machine.split('.');
  const hosts = [machine, label, `${label}.local`, publicUrl && URL.parse(publicUrl)?.host];
  const namesIn = (given: readonly (string | undefined)[]): string[] =>
    given.flatMap((host) => nameIn(host ?? '') ?? []);
  return { hosts: new Set(namesIn(hosts)), domains: namesIn(['localhost', dnsHost, deviceDomain]) };
}

/**
 * Whether a page may have come by this Host. Anybody can let a name of theirs lead to 127.0.0.1, and the browser takes
 * their page for one of ours; of an address, and of names that only we give, nobody else can.
 */
export function isOwnHost(host: string, { hosts, domains }: OwnNames): boolean {
  const name = nameIn(host);
  if (name === undefined) return false;
  return isIP(name) !== 0 || hosts.has(name) || domains.some((each) => name === each || name.endsWith(`.${each}`));
}

/** The name or address of `name:port`, in one spelling. */
function nameIn(host: string): string | undefined {
  const [, ipv6, name] = /^(?:\[([^\]]*)\]|([^:[\]]+?)\.?)(?::\d{0,5})?$/.exec(host.toLowerCase()) ?? [];
  if (ipv6 !== undefined) return isIPv6(ipv6) ? ipv6 : undefined;
  return name;
}
