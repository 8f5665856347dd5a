/** What a list can be written as; `adblock` is the list itself. */
export const formatNames = ['adblock', 'hosts', 'domains', 'dnsmasq', 'unbound', 'rpz'] as const;

export type FormatName = (typeof formatNames)[number];
