/** The domain in a typed text, which may be a URL or start with a wildcard; undefined without a domain. */
export function domainOf(text: string): string | undefined {
  const host = text
    .trim()
    .replace(/^[a-z][\w+.-]*:\/\//i, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/^\*\./, '')
    .replace(/\.$/, '');
  // Also writes internationalised names as Punycode.
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name) && !/^[\d.]+$/.test(name) ? name : undefined;
}
