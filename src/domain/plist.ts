/** The subset of Apple property lists that profiles need. */
export type Plist = string | boolean | number | readonly Plist[] | { readonly [key: string]: Plist };

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';

export const plistXml = (root: Plist): string => `${HEAD}<plist version="1.0">\n${element(root, '')}\n</plist>\n`;

function element(value: Plist, indent: string): string {
  switch (typeof value) {
    case 'string':
      return `${indent}<string>${escapeXml(value)}</string>`;
    case 'boolean':
      return `${indent}<${value}/>`;
    case 'number':
      return `${indent}<integer>${value}</integer>`;
    default:
      return isArray(value) ? array(value, indent) : dictionary(value, indent);
  }
}

const isArray = (value: Plist): value is readonly Plist[] => Array.isArray(value);

const array = (items: readonly Plist[], indent: string): string =>
  [`${indent}<array>`, ...items.map((item) => element(item, `${indent}  `)), `${indent}</array>`].join('\n');

const dictionary = (members: { readonly [key: string]: Plist }, indent: string): string =>
  [
    `${indent}<dict>`,
    ...Object.entries(members).flatMap(([key, value]) => [
      `${indent}  <key>${escapeXml(key)}</key>`,
      element(value, `${indent}  `),
    ]),
    `${indent}</dict>`,
  ].join('\n');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string =>
  withoutForbidden(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);

/** XML 1.0 section 2.2 does not allow these characters, even escaped. */
export const withoutForbidden = (text: string): string =>
  text.toWellFormed().replaceAll(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, '');
