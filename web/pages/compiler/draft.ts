import { stringify } from 'yaml';
import type { Configuration, Format } from './configuration.ts';
import { configurationOf, type Fields, fieldsOf } from './simple-fields.ts';
import { checkText, type Language } from './validate-text.ts';

export type View = 'simple' | Language;

/** What somebody is about to compile, as they typed it: in each view what was last seen there. */
export type Draft = {
  readonly view: View;
  readonly fields: Fields;
  /** Of which the form shows a part. */
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

/** The configuration as its view says it, complete or not; undefined while the text has another shape. */
export const readDraft = ({ view, fields, behindForm, ...texts }: Draft): Configuration | undefined =>
  view === 'simple' ? configurationOf(fields, behindForm) : checkText(texts[view], view).configuration;

/** The same in another view. What stands there stays as it was typed, if it says the same; undefined when there are faults. */
export function switchView(draft: Draft, view: View): Draft | undefined {
  if (view === draft.view) return draft;
  const kept = readDraft({ ...draft, view });
  const current = readDraft(draft);
  if (!current) return undefined;
  if (kept && same(kept, current)) return { ...draft, view };
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
