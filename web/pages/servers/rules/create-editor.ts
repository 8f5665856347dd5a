import { autocompletion, type Completion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, toggleComment } from '@codemirror/commands';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { replaceSelection } from '../../../components/replace-selection.ts';
import { serviceMessage } from '../../../components/service-message.ts';
import { styleNonce } from '../../../shell/style-nonce.ts';
import { lineError, modifiers } from './rule-language.ts';
import { ruleTokens, type TokenKind } from './rule-tokens.ts';

type EditorOptions = {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** Prefix of the message for rules that other programs support. */
  readonly ignored: string;
  readonly onChange: (text: string) => void;
};

export type RuleEditorView = {
  readonly text: () => string;
  /** Replaces the text if it differs. */
  readonly setText: (text: string) => void;
  readonly destroy: () => void;
};

const DELAY_MS = 150;

/** Marks a change that came from the page, so that it is not reported back as an edit. */
const fromPage = Annotation.define<true>();

export function createEditor({ parent, text, label, isReadOnly, ignored, onChange }: EditorOptions): RuleEditorView {
  let reported = text;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const now = view.state.doc.toString();
    if (now === reported) return;
    reported = now;
    onChange(now);
  };
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      lineNumbers(),
      history(),
      drawSelection(),
      replaceSelection,
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      // Tab moves the focus and does not indent.
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', dir: 'ltr' }),
      EditorState.languageData.of(() => [{ commentTokens: { line: '!' } }]),
      autocompletion({ override: [completeModifiers], icons: false }),
      linter(({ state }) => diagnose(state, ignored), { delay: DELAY_MS }),
      lintGutter(),
      colours,
      keymap.of([
        { key: 'Mod-/', run: toggleComment },
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (!docChanged || transactions.every((transaction) => transaction.annotation(fromPage))) return;
        clearTimeout(timer);
        timer = setTimeout(report, DELAY_MS);
      }),
      // Reports pending edits before a click on Save is handled.
      EditorView.domEventHandlers({ blur: report }),
    ],
  });
  return {
    text: () => view.state.doc.toString(),
    setText(next) {
      // Pending edits are newer than `next`, and an empty last line is the start of the next rule.
      if (timer !== undefined || next.trimEnd() === view.state.doc.toString().trimEnd()) return;
      reported = next;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: fromPage.of(true),
      });
    },
    destroy() {
      report();
      view.destroy();
    },
  };
}

function diagnose(state: EditorState, ignored: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (let lineNumber = 1; lineNumber <= state.doc.lines; lineNumber += 1) {
    const { text, from } = state.doc.line(lineNumber);
    const error = lineError(text);
    if (error)
      diagnostics.push({
        from: from + error.start,
        to: Math.min(from + Math.max(error.end, error.start + 1), from + text.length),
        severity: error.kind === 'ignored' ? 'warning' : 'error',
        message: error.kind === 'ignored' ? `${ignored} ${serviceMessage(error.reason)}` : serviceMessage(error.reason),
      });
  }
  return diagnostics;
}

const options: readonly Completion[] = modifiers.map(({ name, like, takesValue }) => ({
  label: name,
  detail: like,
  apply: takesValue ? `${name}=` : name,
}));

/** Completes modifiers after the `$` of a rule and after each comma. */
function completeModifiers(context: CompletionContext) {
  const before = context.state.doc
    .lineAt(context.pos)
    .text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from);
  if (/^\s*[!#]/.test(before)) return null;
  const typed = /\$(?:[^,]*,)*([~\w]*)$/.exec(before)?.[1];
  if (typed === undefined) return null;
  return { from: context.pos - typed.length, options: [...options], validFor: /^[~\w]*$/ };
}

const marks = Object.fromEntries(
  (['comment', 'allow', 'pattern', 'expression', 'sign', 'modifier', 'value'] as const).map((kind) => [
    kind,
    Decoration.mark({ class: `rule-${kind}` }),
  ]),
) as Record<TokenKind, Decoration>;

function highlight({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const range of visibleRanges)
    for (let at = range.from; at <= range.to; ) {
      const line = state.doc.lineAt(at);
      for (const { kind, from, to } of ruleTokens(line.text))
        builder.add(line.from + from, line.from + to, marks[kind]);
      at = line.to + 1;
    }
  return builder.finish();
}

const colours: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = highlight(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = highlight(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
