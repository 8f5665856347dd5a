import { stringify } from 'yaml';
import type { Configuration, Format } from './configuration.ts';
import { configurationOf, type Fields, fieldsOf } from './simple-fields.ts';
import { type Language, validateText } from './validate-text.ts';

export type View = 'simple' | Language;

/** Unsaved input of the compiler page; each view keeps its own text. */
export type Draft = {
  readonly view: View;
  readonly fields: Fields;
  /** The complete configuration, of which the form shows only a part. */
  readonly behindForm: Configuration;
  readonly yaml: string;
  readonly json: string;
  readonly format: Format;
};

export const emptyConfiguration: Configuration = {
  name: 'My list',
  sources: [],
  transformations: ['RemoveComments', 'Compress', 'Validate', 'Deduplicate', 'RemoveEmptyLines', 'InsertFinalNewLine'],
};

export const draftOf = (configuration: Configuration, view: View, format: Format = 'adblock'): Draft => ({
  view,
  fields: fieldsOf(configuration),
  behindForm: configuration,
  yaml: textOf(configuration, 'yaml'),
  json: textOf(configuration, 'json'),
  format,
});

const textOf = (configuration: Configuration, language: Language): string =>
  language === 'json' ? `${JSON.stringify(configuration, null, 2)}\n` : stringify(configuration, { lineWidth: 0 });

/** Configuration of the current view, possibly incomplete; undefined if the text cannot be parsed. */
export const readDraft = ({ view, fields, behindForm, ...texts }: Draft): Configuration | undefined =>
  view === 'simple' ? configurationOf(fields, behindForm) : validateText(texts[view], view).configuration;

/** Switches the view. Text of the target view is kept if it means the same; undefined if the current text has errors. */
export function switchView(draft: Draft, view: View): Draft | undefined {
  if (view === draft.view) return draft;
  const previous = readDraft({ ...draft, view });
  const current = readDraft(draft);
  if (!current) return undefined;
  if (previous && same(previous, current)) return { ...draft, view };
  if (view === 'simple') return { ...draft, view, fields: fieldsOf(current), behindForm: current };
  return { ...draft, view, [view]: textOf(current, view) };
}

const same = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
