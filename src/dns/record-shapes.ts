import { types } from './numbers.ts';

/** One field of RDATA; the kinds in the last two lines extend to the end of the data. */
export type Field =
  | 'byte'
  | 'short'
  | 'long'
  | 'time'
  | 'type'
  | 'ipv4'
  | 'ipv6'
  | 'name'
  | 'string'
  | 'short hex'
  | 'short base32'
  | 'tag'
  | 'strings'
  | 'hex'
  | 'base64'
  | 'types'
  | 'text'
  | 'parameters';

export type Shape = {
  readonly fields: readonly Field[];
  /**
   * Compression of names in RDATA: `shortened` = compressed by every writer (RFC 1035 types), `lengthened` = decompressed on
   * reading but never compressed by us (RFC 3597, 4, and DNAME), `whole` = never compressed. Only `whole` data is copied unread.
   */
  readonly names: 'shortened' | 'lengthened' | 'whole';
};

const shortened = (...fields: Field[]): Shape => ({ fields, names: 'shortened' });
const lengthened = (...fields: Field[]): Shape => ({ fields, names: 'lengthened' });
const whole = (...fields: Field[]): Shape => ({ fields, names: 'whole' });

const signature: Field[] = ['type', 'byte', 'byte', 'long', 'time', 'time', 'short', 'name', 'base64'];

const shapes = new Map<number, Shape>([
  [types.A, whole('ipv4')],
  [types.AAAA, whole('ipv6')],
  [types.NS, shortened('name')],
  [types.MD, shortened('name')],
  [types.MF, shortened('name')],
  [types.CNAME, shortened('name')],
  [types.SOA, shortened('name', 'name', 'long', 'long', 'long', 'long', 'long')],
  [types.MB, shortened('name')],
  [types.MG, shortened('name')],
  [types.MR, shortened('name')],
  [types.PTR, shortened('name')],
  [types.MINFO, shortened('name', 'name')],
  [types.MX, shortened('short', 'name')],
  [types.RP, lengthened('name', 'name')],
  [types.AFSDB, lengthened('short', 'name')],
  [types.RT, lengthened('short', 'name')],
  [types.SIG, lengthened(...signature)],
  [types.PX, lengthened('short', 'name', 'name')],
  [types.NXT, lengthened('name', 'hex')],
  [types.SRV, lengthened('short', 'short', 'short', 'name')],
  [types.NAPTR, lengthened('short', 'short', 'string', 'string', 'string', 'name')],
  [types.KX, lengthened('short', 'name')],
  [types.DNAME, lengthened('name')],
  [types.HINFO, whole('string', 'string')],
  [types.TXT, whole('strings')],
  [types.SPF, whole('strings')],
  [types.DS, whole('short', 'byte', 'byte', 'hex')],
  [types.CDS, whole('short', 'byte', 'byte', 'hex')],
  [types.SSHFP, whole('byte', 'byte', 'hex')],
  [types.RRSIG, whole(...signature)],
  [types.NSEC, whole('name', 'types')],
  [types.DNSKEY, whole('short', 'byte', 'byte', 'base64')],
  [types.CDNSKEY, whole('short', 'byte', 'byte', 'base64')],
  [types.NSEC3, whole('byte', 'byte', 'short', 'short hex', 'short base32', 'types')],
  [types.NSEC3PARAM, whole('byte', 'byte', 'short', 'short hex')],
  [types.TLSA, whole('byte', 'byte', 'byte', 'hex')],
  [types.SMIMEA, whole('byte', 'byte', 'byte', 'hex')],
  [types.OPENPGPKEY, whole('base64')],
  [types.ZONEMD, whole('long', 'byte', 'byte', 'hex')],
  [types.SVCB, whole('short', 'name', 'parameters')],
  [types.HTTPS, whole('short', 'name', 'parameters')],
  [types.URI, whole('short', 'short', 'text')],
  [types.CAA, whole('byte', 'tag', 'text')],
]);

/** Fields of a type's RDATA; undefined for unknown types, which are opaque. */
export const shapeOf = (type: number): Shape | undefined => shapes.get(type);

const sizes: Readonly<Partial<Record<Field, number>>> = {
  byte: 1,
  short: 2,
  type: 2,
  long: 4,
  time: 4,
  ipv4: 4,
  ipv6: 16,
};
const lengthPrefixed: readonly Field[] = ['string', 'short hex', 'short base32', 'tag'];

/** End of a field other than a name. May exceed the data; the caller checks. */
export function fieldEnd(field: Field, bytes: Uint8Array, at: number, end: number): number {
  const size = sizes[field];
  if (size !== undefined) return at + size;
  return lengthPrefixed.includes(field) ? at + 1 + (bytes[at] ?? 0) : end;
}
