const HIDDEN = '…';

/** Removes user name, password, query and fragment of a URL, which often contain secrets. Other text is returned unchanged. */
export function withoutUrlSecrets(text: string): string {
  const [, scheme, authority = '', path = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return text;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return scheme + host + path + (rest === '' ? '' : `?${HIDDEN}`);
}

/** Applies it to the URLs in a text, such as a message of an error. */
export const withoutSecretsOfUrls = (text: string): string =>
  text.replaceAll(/https?:\/\/[^\s"'<>]+/gi, withoutUrlSecrets);

/** Applies it to every string in a JSON value. */
export function withoutUrlSecretsIn<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string' ? withoutUrlSecrets(member) : member,
  ) as T;
}
