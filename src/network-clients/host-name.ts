import { parseDnsName } from '../domain/dns-name.ts';

/** A host name from the network, which is shown and compared; undefined for all other texts, also addresses. */
export function parseHostName(text: string): string | undefined {
  const name = parseDnsName(text);
  // A name that ends in a number is an IPv4 address to many programs.
  return name !== undefined && !/(?:^|\.)\d+$/.test(name) ? name : undefined;
}
