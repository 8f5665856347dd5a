import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { cursorContext, schemaAt } from './cursor-context.ts';
import type { Language } from './validate-text.ts';

type Describe = (value: string) => string | undefined;

/** Offers the properties and values that the schema allows at the cursor. */
export const completeBySchema =
  (language: Language, describe: Describe) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const { keys, kind, from } = cursorContext(state.doc.toString(), pos, language);
    if (!explicit && from === pos) return null;
    const schema = schemaAt(keys);
    const quoted = (text: string): string => (language === 'json' ? JSON.stringify(text) : text);
    const options: Completion[] =
      kind === 'key'
        ? Object.entries(schema?.properties ?? {}).map(([name, { description }]) => ({
            label: quoted(name),
            displayLabel: name,
            type: 'property',
            ...(description !== undefined && { info: description }),
            apply: `${quoted(name)}: `,
          }))
        : (schema?.enum ?? []).map((value) => {
            const info = describe(value);
            return { label: quoted(value), displayLabel: value, type: 'enum', ...(info !== undefined && { info }) };
          });
    return options.length === 0 ? null : { from, options, validFor: /^"?[\w$]*$/ };
  };
