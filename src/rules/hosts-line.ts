// Any word of hexadecimal digits, dots, colons and brackets counts as an address, so `add example.com` is a hosts line, too. List authors
// depend on this pattern.
const hostsLine = /^[a-f0-9.:\][]+(?:%[a-z0-9]+)?\s[^#]+(?:#.*)?$/;

export const isHostsLine = (text: string): boolean => hostsLine.test(text);

/** The names of a hosts line; empty if only spaces separate the address and a comment. */
export function hostsNames(text: string): readonly string[] {
  const words = text.slice(0, endOfNames(text)).split(/\s+/);
  return words.slice(1).filter((word) => word !== '');
}

type Columns = { readonly start: number; readonly end: number };

/** Columns of the nth name, counted from 0. */
export function hostsNameColumns(text: string, nth: number): Columns {
  const word = [...text.slice(0, endOfNames(text)).matchAll(/\S+/g)][nth + 1]!;
  return { start: word.index, end: word.index + word[0].length };
}

/** Columns between the address and the comment or the end. */
export const hostsGap = (text: string): Columns => ({ start: text.search(/\s/), end: endOfNames(text) });

function endOfNames(text: string): number {
  const hash = text.indexOf('#');
  return hash === -1 ? text.length : hash;
}
