import { typeName, typeNumber } from '../kit/dns-numbers.ts';

// Response codes by number, and how the wire spells them.
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

const rcodeByName = new Map<string, number>([
  ...Object.entries(responseCodes).map(([number, name]) => [name, Number(number)] as const),
  ['RcodeBadSig', 16],
]);

// Where the wire spells a record type otherwise than the registry.
const wireSpelling: Readonly<Record<number, string>> = { 0: 'None', 23: 'NSAPPTR' };
const numberBySpelling = new Map(Object.entries(wireSpelling).map(([number, name]) => [name, Number(number)]));

/** `TypeA`; a number without a name as RFC 3597 writes it, `TypeTYPE65400`. */
export const recordTypeName = (type: number): string => `Type${wireSpelling[type] ?? typeName(type)}`;

export function recordTypeNumber(name: string): number | undefined {
  const bare = name.replace(/^Type/, '');
  return numberBySpelling.get(bare) ?? typeNumber(bare);
}

/** The wire knows no other names than these: whatever else a server answers with means that it failed. */
export const responseCodeName = (rcode: number): ResponseCodeName =>
  rcode in responseCodes ? responseCodes[rcode as keyof typeof responseCodes] : 'RcodeServerFailure';

export const responseCodeNumber = (name: string): number | undefined => rcodeByName.get(name);
