const markup: unique symbol = Symbol('markup');

/** Text that is HTML already. Only this file can make it: no value of a document passes for it. */
export type Html = { readonly [markup]: string };

export type Part = Html | string | number | false | undefined | readonly Part[];

/** A template whose parts are escaped, unless they are HTML; for text and for attributes in double quotes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  [markup]: strings.map((text, index) => text + toMarkup(parts[index])).join(''),
});

export const markupOf = (part: Html): string => part[markup];

/** For text of our own that is no document's. */
export const trusted = (text: string): Html => ({ [markup]: text });

/** Descriptions mark code with backticks; nothing else in them is more than text. */
export const inline = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const prose = (text: string | undefined): Html =>
  html`${(text ?? '')
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`;

/** Parts with words between them. */
export const joined = (parts: readonly Part[], between: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : [between, part]))}`;

/** An id of an element, the same for the same name and no other. */
export const anchor = (kind: string, name: string): string =>
  `${kind}-${name.replace(/[^\w.-]/gu, (character) => `~${character.codePointAt(0)!.toString(16)}~`)}`;

function toMarkup(part: Part): string {
  if (part === undefined || part === false) return '';
  if (isList(part)) return part.map(toMarkup).join('');
  return typeof part === 'object' && markup in part ? part[markup] : escaped(String(part));
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Control characters and halves of surrogate pairs have no place in HTML, not even escaped.
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character]!);
