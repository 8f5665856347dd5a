export type Authorization = { readonly scheme: 'ApiKey' | 'Bearer'; readonly secret: string };

const schemes: Readonly<Record<string, Authorization['scheme']>> = { apikey: 'ApiKey', bearer: 'Bearer' };

/**
 * The one reading of the header: a scheme in any case, spaces, and one word of the letters that RFC 9110 section 11.2
 * gives to tokens. A bare key, a list, a tab, or anything after the word is no credential.
 */
export function parseAuthorization(header: string | undefined): Authorization | undefined {
  const [, scheme = '', secret = ''] =
    /^(apikey|bearer) {1,8}([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(header?.slice(0, 600) ?? '') ?? [];
  const known = schemes[scheme.toLowerCase()];
  return known && { scheme: known, secret };
}
