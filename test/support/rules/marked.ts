import type { RuleError } from '../../../src/rules/rule-error.ts';

/** A text with the part at fault between « and »: the text without these marks, and the columns of that part. */
export function unmarked(marked: string): { readonly text: string; readonly start: number; readonly end: number } {
  const [before = '', part = '', behind = ''] = marked.split(/[«»]/);
  return { text: before + part + behind, start: before.length, end: before.length + part.length };
}

/** The other way round. */
export const mark = (text: string, { start, end }: RuleError): string =>
  `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
