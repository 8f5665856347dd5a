// Numbers of the protocol (IANA, "Domain Name System (DNS) Parameters") that the code handles specially.

export const types = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  RT: 21,
  SIG: 24,
  PX: 26,
  AAAA: 28,
  NXT: 30,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const;

export const classes = { IN: 1, CH: 3 } as const;

export const rcodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  NOTAUTH: 9,
  BADVERS: 16,
  BADCOOKIE: 23,
} as const;

export const optionCodes = {
  clientSubnet: 8,
  cookie: 10,
  keepalive: 11,
  padding: 12,
  extendedError: 15,
  /** Unassigned; sent by dnsmasq's `--add-mac`: the MAC address of the client of a forwarded query, 6 bytes. */
  mac: 65001,
  /** The same as text: `--add-mac=text` (17 bytes) and `--add-mac=base64` (8 bytes). */
  macText: 65073,
  /** Unassigned; sent by dnsmasq's `--add-cpe-id`. A router uses it to identify the device of a forwarded query. */
  device: 65074,
} as const;

export const HEADER_LENGTH = 12;
export const MAX_NAME_LENGTH = 255;
export const MAX_MESSAGE_LENGTH = 65_535;

/** EDNS UDP payload size: fits an IPv6 path without fragmentation (DNS Flag Day 2020). */
export const OUR_UDP_SIZE = 1232;
export const SMALLEST_UDP_SIZE = 512;

// 128 to 255 are query and meta types (RFC 6895, 3.1). They are hop-by-hop and must not be forwarded. BIND and Unbound also answer
// the unassigned ones with FORMERR.
const unanswerableTypes = new Uint8Array(256);
unanswerableTypes.fill(rcodes.FORMERR, 128);
unanswerableTypes[0] = rcodes.FORMERR;
unanswerableTypes[types.OPT] = rcodes.FORMERR;
unanswerableTypes[types.IXFR] = rcodes.REFUSED;
unanswerableTypes[types.AXFR] = rcodes.REFUSED;
unanswerableTypes[types.MAILB] = rcodes.NOTIMP;
unanswerableTypes[types.MAILA] = rcodes.NOTIMP;
unanswerableTypes[types.ANY] = rcodes.NOERROR;

/** RCODE for types that are rejected without a lookup; NOERROR for all others. */
export const unanswerable = (type: number): number => (type < 256 ? unanswerableTypes[type]! : rcodes.NOERROR);
