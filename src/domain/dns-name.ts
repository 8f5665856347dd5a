const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_LENGTH = 253;

/** A domain name in lower case without a trailing dot, internationalised labels in punycode; one label is enough. */
export function parseDnsName(text: string): string | undefined {
  const name = ascii(text.trim()).toLowerCase().replace(/\.$/, '');
  return name.length <= MAX_LENGTH && name.split('.').every((label) => LABEL.test(label)) ? name : undefined;
}

function ascii(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text) || /[\s/?#@:\\]/.test(text)) return text;
  return URL.parse(`http://${text}/`)?.hostname ?? text;
}
