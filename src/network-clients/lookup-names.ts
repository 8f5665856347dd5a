import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { reverseName } from '../domain/reverse-name.ts';
import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';
import { askUdp } from './ask-udp.ts';
import { linkOf } from './local-link.ts';
import { ptrNames, ptrQuery } from './ptr-query.ts';

export type DnsEndpoint = { readonly address: string; readonly port: number };
/** A domain and the server to which its queries are forwarded. */
export type ForwardRule = { readonly domain: string; readonly server: DnsEndpoint };

const ROUTER_TIMEOUT_MS = 1500;
const MDNS_TIMEOUT_MS = 1000;
const MDNS_PORT = 5353;
const MDNS_GROUPS = { V4: '224.0.0.251', V6: 'ff02::fb' } as const;

/**
 * The server for PTR queries: that of the rule with the longest domain, otherwise the gateway. As in the resolver, rules
 * of the account precede the `forward` setting of the operator.
 */
export function serverFor(
  addressText: string,
  rulesByPrecedence: readonly (readonly ForwardRule[])[],
  gateway: string | undefined,
): DnsEndpoint | undefined {
  const address = parseIp(addressText);
  const name = address && reverseName(address);
  const [rule] = rulesByPrecedence.flatMap((rules) =>
    rules
      .filter(({ domain }) => name === domain || name?.endsWith(`.${domain}`))
      .sort((one, other) => other.domain.length - one.domain.length),
  );
  return rule?.server ?? (gateway === undefined ? undefined : { address: gateway, port: 53 });
}

/** The names that the router has for an address. */
export async function lookUpPtr(addressText: string, server: DnsEndpoint): Promise<readonly string[]> {
  const address = parseIp(addressText);
  if (!address) return [];
  const id = randomInt(0x1_0000);
  const names = await askUdp({
    bytes: ptrQuery(address, id),
    to: server,
    timeoutMs: ROUTER_TIMEOUT_MS,
    accept: (reply, from) =>
      sameHost(from.address, server.address) && from.port === server.port ? ptrNames(reply, address, id) : undefined,
  });
  return names ?? [];
}

/**
 * Queries the host for its name by multicast DNS (RFC 6762, 6.7: a one-shot query from another port gets a unicast reply). `isOfHost`
 * checks the sender of the reply, because another host could claim any name.
 */
export async function lookUpMdns(
  addressText: string,
  isOfHost: (sender: string) => boolean,
): Promise<readonly string[]> {
  const address = parseIp(addressText);
  const link = linkOf(addressText, networkInterfaces());
  if (!address || !link) return [];
  const id = randomInt(0x1_0000);
  const zone = `%${link.name}`;
  const isV6 = address.family === 'V6';
  const names = await askUdp({
    bytes: ptrQuery(address, id),
    to: { address: isV6 ? MDNS_GROUPS.V6 + zone : MDNS_GROUPS.V4, port: MDNS_PORT },
    timeoutMs: MDNS_TIMEOUT_MS,
    multicastFrom: isV6 ? `::${zone}` : link.address,
    accept: (reply, from) => (isOfHost(withoutZone(from.address)) ? ptrNames(reply, address, id) : undefined),
  });
  return names ?? [];
}

const withoutZone = (address: string): string => address.replace(/%.*$/, '');

const canonical = (address: string): string => {
  const ip = parseIp(withoutZone(address));
  return ip ? formatIp(unmapped(ip)) : address;
};
const sameHost = (one: string, other: string): boolean => canonical(one) === canonical(other);
