export type Authorization = {
  /** A header without a scheme contains an API key. */
  readonly scheme: 'ApiKey' | 'Bearer' | 'none';
  readonly secret: string;
};

const schemes: Readonly<Record<string, Authorization['scheme']>> = { apikey: 'ApiKey', bearer: 'Bearer', '': 'none' };

/**
 * Parses the header strictly: an optional scheme (in any case) with spaces, and one token68 (RFC 9110 section 11.2). A
 * list, a tab or trailing text is rejected.
 */
export function parseAuthorization(header: string | undefined): Authorization | undefined {
  const [, scheme = '', secret = ''] =
    /^(?:(apikey|bearer) {1,8})?([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(header?.slice(0, 600) ?? '') ?? [];
  const knownScheme = schemes[scheme.toLowerCase()];
  return knownScheme && secret !== '' ? { scheme: knownScheme, secret } : undefined;
}
