// The end of a domain says whose it is, so only the middle of a long domain is cut.
const MIN_LENGTH = 22;
const END_LENGTH = 12;

/** Start and end of a domain; the start is shortened where space is missing. Short domains are not split. */
export const splitDomain = (domain: string): readonly [start: string, end: string] =>
  domain.length < MIN_LENGTH ? [domain, ''] : [domain.slice(0, -END_LENGTH), domain.slice(-END_LENGTH)];
