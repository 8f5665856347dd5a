// Anything of hexadecimal digits, dots, colons and brackets counts as an address, so `add example.com` is a hosts
// line too: list authors rely on what this pattern lets through.
const hostsLine = /^[a-f0-9.:\][]+(?:%[a-z0-9]+)?\s[^#]+(?:#.*)?$/;

export const isHostsLine = (text: string): boolean => hostsLine.test(text);

/** The names of a hosts line; none when only blanks stand between the address and a comment. */
export function hostsNames(text: string): readonly string[] {
  const hash = text.indexOf('#');
  const words = (hash === -1 ? text : text.slice(0, hash)).split(/\s+/);
  return words.slice(1).filter((word) => word !== '');
}
