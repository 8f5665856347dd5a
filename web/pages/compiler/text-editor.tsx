import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorColours, editorTheme } from '../../components/editor-theme.ts';
import { styleNonce } from '../../shell/style-nonce.ts';
import { completeBySchema } from './completion.ts';
import { checkText, type Fault, type Language, placeOf } from './validate-text.ts';

/** What the service said of a place in what it was sent. */
export type Told = { readonly path: string; readonly message: string };

export type TextEditorProps = {
  readonly text: string;
  readonly language: Language;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly words: (fault: Fault) => string;
  readonly describe: (value: string) => string | undefined;
  readonly told: readonly Told[];
};

const heard = StateEffect.define<readonly Told[]>();

/** Tab leaves it, as any other field; Ctrl-Space offers what may stand here. */
export function TextEditor(props: TextEditorProps) {
  const { text, language, label } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  // The text that the service spoke of; of another its places say nothing.
  const toldOf = useRef('');

  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        language === 'json' ? json() : yaml(),
        syntaxHighlighting(editorColours),
        editorTheme,
        lintGutter(),
        linter(({ state }) => diagnose(state.doc.toString(), latest.current, toldOf.current), {
          needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.some((one) => one.is(heard))),
        }),
        autocompletion({ override: [completeBySchema(language, (value) => latest.current.describe(value))] }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) latest.current.onChange(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language, label]);

  // An example, or what was taken back: whatever was not typed here.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  const { told } = props;
  useEffect(() => {
    toldOf.current = latest.current.text;
    view.current?.dispatch({ effects: heard.of(told) });
  }, [told]);

  return <div ref={place} dir="ltr" />;
}

function diagnose(text: string, { language, words, told }: TextEditorProps, toldOf: string): Diagnostic[] {
  const { faults } = checkText(text, language);
  const own = faults.map((fault): Diagnostic => ({ ...fault, severity: 'error', message: words(fault) }));
  // What the schema finds, the service has found as well.
  if (own.length > 0 || text !== toldOf) return own;
  return told.map(({ path, message }) => ({
    ...placeOf(text, path.replace(/^configuration\.?/, '')),
    severity: 'error',
    message,
  }));
}
