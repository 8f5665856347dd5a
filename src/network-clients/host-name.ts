import { parseDnsName } from '../domain/dns-name.ts';

/** A host name from the network; undefined for all other texts, including addresses. */
export function parseHostName(text: string): string | undefined {
  const name = parseDnsName(text);
  // Many programs parse a name that ends in a number as an IPv4 address.
  return name !== undefined && !/(?:^|\.)\d+$/.test(name) ? name : undefined;
}
