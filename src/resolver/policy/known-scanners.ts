import { type IsInNetworks, networkSet } from '../identity/networks.ts';
import { type IsNamed, namedBy } from './rule-attribution.ts';

/** Networks of Internet-wide scanners, and rules for the names that they query. */
export type ScannerList = { readonly networks: readonly string[]; readonly rules: readonly string[] };

// As published by the scanners or observed by others.
const networks: Readonly<Record<string, string>> = {
  Censys: `
    66.132.148.0/24 66.132.153.0/24 66.132.159.0/24 66.132.172.0/24 66.132.186.0/24 66.132.195.0/24 66.132.198.0/24
    66.132.224.0/24 66.132.228.0/24 162.142.125.0/24 167.94.138.0/24 167.94.145.0/24 167.94.146.0/24 167.248.133.0/24
    199.45.154.0/23 206.168.32.0/22 2602:80d:1000::/48 2602:80d:1003::/112 2602:80d:1004::/112 2602:80d:1006::/47
    2602:80d:1008::/47 2602:80d:100a::/48 2620:96:e000::/48`,
  Shadowserver: `
    64.62.202.96/27 65.49.20.64/26 66.220.23.112/29 74.82.47.0/26 184.105.139.64/26 184.105.143.128/26
    184.105.247.192/26 216.218.206.64/26`,
  'Rapid7 Project Sonar': '5.63.151.96/27 71.6.233.0/24 88.202.190.128/27 109.123.117.224/27 146.185.25.160/27',
  Shodan: `
    66.240.192.138 66.240.236.119 71.6.135.131 71.6.158.166 71.6.165.200 71.6.167.142 82.221.105.6 82.221.105.7
    93.120.27.62 104.131.0.69 104.236.198.48 188.138.9.50`,
};

/** A short default list, which the operator can replace. */
export const knownScanners: ScannerList = {
  networks: Object.values(networks).flatMap((text) => text.trim().split(/\s+/)),
  rules: [
    '||dnsscan.shadowserver.org^',
    '||direct.shodan.io^',
    '||openresolverproject.org^',
    '||openresolvertest.net^',
    '||openresolve.rs^',
    '||test.openresolver.com^',
    '||ip.parrotdns.com^',
    '||testip.internet-census.org^',
    '||dnsresearch.cymru.com^',
    '||asertdnsresearch.com^',
    '||dns-test.research.a10protects.com^',
  ],
};

export type Scanners = { readonly isScanner: IsInNetworks; readonly isProbe: IsNamed };

export const compileScanners = (list: ScannerList, secret: Uint8Array): Scanners => ({
  isScanner: networkSet(list.networks),
  isProbe: namedBy(list.rules, secret),
});
