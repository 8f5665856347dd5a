// Names of RFC 6895 where those of the API differ.
const names: Readonly<Record<string, string>> = {
  Success: 'NOERROR',
  FormatError: 'FORMERR',
  ServerFailure: 'SERVFAIL',
  NameError: 'NXDOMAIN',
  NotImplemented: 'NOTIMP',
};

/** `NXDOMAIN` for `RcodeNameError`: the same in every language. */
export function responseCode(type: string | undefined): string | undefined {
  const name = type?.replace(/^Rcode/, '');
  return name && (names[name] ?? name.toUpperCase());
}
