/** Output formats; `adblock` is the list itself. */
export const formatNames = ['adblock', 'hosts', 'domains', 'dnsmasq', 'unbound', 'rpz'] as const;

export type FormatName = (typeof formatNames)[number];
