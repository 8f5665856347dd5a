const octet = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
const ipPattern = new RegExp(`^(\\|{0,2})(${octet}(?:\\.${octet}){0,3})(\\.|\\.{1,2}\\*)?(\\^\\|?)?$`);

export type IpPattern = {
  readonly prefix: '' | '|' | '||';
  readonly address: string;
  readonly octets: number;
  /** The placeholder for the omitted octets: nothing, `.`, `.*` or, as the original accepts, `..*`. */
  readonly tail: string;
  readonly separator: string;
};

/** A pattern that is an IPv4 address or the beginning of one. */
export function parseIpPattern(pattern: string): IpPattern | undefined {
  const found = ipPattern.exec(pattern);
  if (!found) return undefined;
  const [, prefix = '', address = '', tail = '', separator = ''] = found;
  return { prefix: prefix as IpPattern['prefix'], address, octets: address.split('.').length, tail, separator };
}

const isWholeSubnet = ({ octets, tail, separator }: IpPattern): boolean =>
  octets === 3 && tail !== '' && separator === '';

/** The reason why an address pattern would match unintended addresses or names. */
export function whyAmbiguousAddress(ip: IpPattern, allowIp: boolean): string | undefined {
  if (ip.prefix === '||' && isWholeSubnet(ip) && allowIp) return undefined;
  if (ip.prefix === '' && ip.separator !== '' && ip.octets >= 2) return 'an address with "^" needs "||" in front';
  if (ip.separator === '' && ip.octets < 3) return 'so short a part of an address matches far too much';
  if (ip.separator === '' && ip.octets === 3 && ip.tail === '') return 'three octets match far too much';
  if (ip.separator === '' && ip.tail !== '' && ip.prefix === '') return 'a part of an address needs "||" in front';
  if (ip.prefix !== '' && (ip.octets < 4 || ip.tail !== '')) return 'a part of an address is not a host';
  return undefined;
}

/** The normalised pattern that matches only this address; undefined unless it is a complete address or subnet. */
export function normaliseIpPattern(pattern: string): string | undefined {
  const ip = parseIpPattern(pattern);
  if (!ip) return undefined;
  if (ip.octets === 4 && ip.tail === '') return `||${ip.address}^`;
  if (!isWholeSubnet(ip)) return undefined;
  if (ip.prefix === '||') return pattern;
  return `||${ip.address}${ip.tail === '.' ? '.' : '.*'}`;
}
