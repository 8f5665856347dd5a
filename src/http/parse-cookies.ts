export type Cookie = { readonly name: string; readonly value: string };

/** The pairs of a Cookie header (RFC 6265 section 4.2.1); names can repeat. */
export const parseCookies = (header: string): readonly Cookie[] =>
  header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0 ? [] : [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }];
  });
