import { typeName } from '../kit/dns-numbers.ts';

// Response codes and their names on the wire.
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
/** 16 is also BADSIG, but only in responses to signed transactions, which are not logged. */
export type ResponseCodeName = (typeof responseCodes)[keyof typeof responseCodes] | 'RcodeBadSig';

// Record types whose name on the wire differs from the registry.
const wireSpelling: Readonly<Record<number, string>> = { 0: 'None', 23: 'NSAPPTR' };

/** For example `TypeA`; types without a name as in RFC 3597, `TypeTYPE65400`. */
export const recordTypeName = (type: number): string => `Type${wireSpelling[type] ?? typeName(type)}`;

/** The published API has no other names, so all other codes are reported as SERVFAIL. */
export const responseCodeName = (rcode: number): ResponseCodeName =>
  rcode in responseCodes ? responseCodes[rcode as keyof typeof responseCodes] : 'RcodeServerFailure';
