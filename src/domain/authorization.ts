export type Authorization = { readonly scheme: 'ApiKey' | 'Bearer'; readonly secret: string };

const schemes: Readonly<Record<string, Authorization['scheme']>> = { apikey: 'ApiKey', bearer: 'Bearer' };

/**
 * Parses the header strictly: a scheme in any case, spaces, and one token68 (RFC 9110 section 11.2). A bare key, a
 * list, a tab or trailing text is rejected.
 */
export function parseAuthorization(header: string | undefined): Authorization | undefined {
  const [, scheme = '', secret = ''] =
    /^(apikey|bearer) {1,8}([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(header?.slice(0, 600) ?? '') ?? [];
  const known = schemes[scheme.toLowerCase()];
  return known && { scheme: known, secret };
}
