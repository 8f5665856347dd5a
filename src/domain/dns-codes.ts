// Record types and response codes by number (IANA, "Domain Name System Parameters"), and how the wire spells them.
const recordTypes: Readonly<Record<number, string>> = {
  0: 'None',
  1: 'A',
  2: 'NS',
  3: 'MD',
  4: 'MF',
  5: 'CNAME',
  6: 'SOA',
  7: 'MB',
  8: 'MG',
  9: 'MR',
  10: 'NULL',
  11: 'WKS',
  12: 'PTR',
  13: 'HINFO',
  14: 'MINFO',
  15: 'MX',
  16: 'TXT',
  17: 'RP',
  18: 'AFSDB',
  19: 'X25',
  20: 'ISDN',
  21: 'RT',
  22: 'NSAP',
  23: 'NSAPPTR',
  24: 'SIG',
  25: 'KEY',
  26: 'PX',
  27: 'GPOS',
  28: 'AAAA',
  29: 'LOC',
  30: 'NXT',
  31: 'EID',
  32: 'NIMLOC',
  33: 'SRV',
  34: 'ATMA',
  35: 'NAPTR',
  36: 'KX',
  37: 'CERT',
  38: 'A6',
  39: 'DNAME',
  40: 'SINK',
  41: 'OPT',
  42: 'APL',
  43: 'DS',
  44: 'SSHFP',
  45: 'IPSECKEY',
  46: 'RRSIG',
  47: 'NSEC',
  48: 'DNSKEY',
  49: 'DHCID',
  50: 'NSEC3',
  51: 'NSEC3PARAM',
  52: 'TLSA',
  53: 'SMIMEA',
  55: 'HIP',
  56: 'NINFO',
  57: 'RKEY',
  58: 'TALINK',
  59: 'CDS',
  60: 'CDNSKEY',
  61: 'OPENPGPKEY',
  62: 'CSYNC',
  63: 'ZONEMD',
  64: 'SVCB',
  65: 'HTTPS',
  66: 'DSYNC',
  99: 'SPF',
  100: 'UINFO',
  101: 'UID',
  102: 'GID',
  103: 'UNSPEC',
  104: 'NID',
  105: 'L32',
  106: 'L64',
  107: 'LP',
  108: 'EUI48',
  109: 'EUI64',
  249: 'TKEY',
  250: 'TSIG',
  251: 'IXFR',
  252: 'AXFR',
  253: 'MAILB',
  254: 'MAILA',
  255: 'ANY',
  256: 'URI',
  257: 'CAA',
  258: 'AVC',
  259: 'DOA',
  260: 'AMTRELAY',
  32768: 'TA',
  32769: 'DLV',
};

const responseCodes = {
  0: 'RcodeSuccess',
  1: 'RcodeFormatError',
  2: 'RcodeServerFailure',
  3: 'RcodeNameError',
  4: 'RcodeNotImplemented',
  5: 'RcodeRefused',
  6: 'RcodeYXDomain',
  7: 'RcodeYXRrset',
  8: 'RcodeNXRrset',
  9: 'RcodeNotAuth',
  10: 'RcodeNotZone',
  16: 'RcodeBadVers',
  17: 'RcodeBadKey',
  18: 'RcodeBadTime',
  19: 'RcodeBadMode',
  20: 'RcodeBadName',
  21: 'RcodeBadAlg',
  22: 'RcodeBadTrunc',
  23: 'RcodeBadCookie',
} as const;
/** 16 is also BADSIG, but only in answers to signed transactions, which are never logged. */
export type ResponseCodeName = (typeof responseCodes)[keyof typeof responseCodes] | 'RcodeBadSig';

const numberByName = new Map(Object.entries(recordTypes).map(([number, name]) => [name, Number(number)]));
const rcodeByName = new Map<string, number>([
  ...Object.entries(responseCodes).map(([number, name]) => [name, Number(number)] as const),
  ['RcodeBadSig', 16],
]);

/** `TypeA`; a number without a name as RFC 3597 writes it, `TypeTYPE65400`. */
export const recordTypeName = (type: number): string => `Type${recordTypes[type] ?? `TYPE${type}`}`;

export function recordTypeNumber(name: string): number | undefined {
  const bare = name.replace(/^Type/, '');
  const known = numberByName.get(bare);
  if (known !== undefined) return known;
  const number = /^TYPE(\d{1,5})$/.exec(bare)?.[1];
  return number !== undefined && Number(number) <= 0xffff ? Number(number) : undefined;
}

/** The wire knows no other names than these: whatever else a server answers with means that it failed. */
export const responseCodeName = (rcode: number): ResponseCodeName =>
  rcode in responseCodes ? responseCodes[rcode as keyof typeof responseCodes] : 'RcodeServerFailure';

export const responseCodeNumber = (name: string): number | undefined => rcodeByName.get(name);
