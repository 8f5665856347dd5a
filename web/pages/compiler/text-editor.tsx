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
import { replaceSelection } from '../../components/replace-selection.ts';
import { serviceMessage } from '../../components/service-message.ts';
import { styleNonce } from '../../shell/style-nonce.ts';
import { completeBySchema } from './completion.ts';
import { type Language, rangeAtPath, type TextError, validateText } from './validate-text.ts';

/** Error that the service reported for a path of the configuration. */
export type ServiceError = { readonly path: string; readonly message: string };

export type TextEditorProps = {
  readonly text: string;
  readonly language: Language;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly errorText: (error: TextError) => string;
  readonly describe: (value: string) => string | undefined;
  readonly serviceErrors: readonly ServiceError[];
};

const serviceErrorsChanged = StateEffect.define<readonly ServiceError[]>();

/** Tab leaves the editor; Ctrl+Space opens completion. */
export function TextEditor(props: TextEditorProps) {
  const { text, language, label } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  // Text to which the service's errors refer; they do not apply to any other text.
  const serviceErrorsText = useRef('');

  useEffect(() => {
    const editor = new EditorView({
      parent: container.current!,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        lineNumbers(),
        history(),
        drawSelection(),
        replaceSelection,
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        language === 'json' ? json() : yaml(),
        syntaxHighlighting(editorColours),
        editorTheme,
        lintGutter(),
        linter(({ state }) => diagnose(state.doc.toString(), latest.current, serviceErrorsText.current), {
          needsRefresh: ({ transactions }) =>
            transactions.some(({ effects }) => effects.some((effect) => effect.is(serviceErrorsChanged))),
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

  // Replaces text that was changed from outside, for example by loading an example.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  const { serviceErrors } = props;
  useEffect(() => {
    serviceErrorsText.current = latest.current.text;
    view.current?.dispatch({ effects: serviceErrorsChanged.of(serviceErrors) });
  }, [serviceErrors]);

  return <div ref={container} dir="ltr" />;
}

function diagnose(
  text: string,
  { language, errorText, serviceErrors }: TextEditorProps,
  serviceErrorsText: string,
): Diagnostic[] {
  const { errors } = validateText(text, language);
  const local = errors.map((error): Diagnostic => ({ ...error, severity: 'error', message: errorText(error) }));
  // The service reports the same errors as the schema.
  if (local.length > 0 || text !== serviceErrorsText) return local;
  return serviceErrors.map(({ path, message }) => ({
    ...rangeAtPath(text, path.replace(/^configuration\.?/, '')),
    severity: 'error',
    message: serviceMessage(message),
  }));
}
