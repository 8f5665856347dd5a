import { autocompletion, type Completion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, toggleComment } from '@codemirror/commands';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
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
import { styleNonce } from '../../../shell/style-nonce.ts';
import { faultOf, modifiers } from './rule-language.ts';
import { ruleTokens, type TokenKind } from './rule-tokens.ts';

type Opening = {
  readonly place: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** What stands before the reason why a rule does nothing here. */
  readonly ignored: string;
  readonly onChange: (text: string) => void;
};

export type RuleEditorView = {
  readonly text: () => string;
  /** Shows another text, unless it is what stands there. */
  readonly show: (text: string) => void;
  readonly close: () => void;
};

const SOON_MS = 150;

export function openEditor({ place, text, label, isReadOnly, ignored, onChange }: Opening): RuleEditorView {
  let told = text;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const now = view.state.doc.toString();
    if (now === told) return;
    told = now;
    onChange(now);
  };
  const view = new EditorView({
    parent: place,
    doc: text,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      // Reached by the Tab key and left by it: rules need no tabs.
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', dir: 'ltr' }),
      EditorState.languageData.of(() => [{ commentTokens: { line: '!' } }]),
      autocompletion({ override: [completeModifiers], icons: false }),
      linter(({ state }) => faultsIn(state, ignored), { delay: SOON_MS }),
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
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return;
        clearTimeout(timer);
        timer = setTimeout(tell, SOON_MS);
      }),
      // Whoever presses Save leaves the editor first.
      EditorView.domEventHandlers({ blur: tell }),
    ],
  });
  return {
    text: () => view.state.doc.toString(),
    show(next) {
      // What is being typed is newer than what comes back, and an empty line at the end is the beginning of the next rule.
      if (timer !== undefined || next.trimEnd() === view.state.doc.toString().trimEnd()) return;
      told = next;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    close() {
      tell();
      view.destroy();
    },
  };
}

function faultsIn(state: EditorState, ignored: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (let nth = 1; nth <= state.doc.lines; nth += 1) {
    const { text, from } = state.doc.line(nth);
    const fault = faultOf(text);
    if (fault)
      found.push({
        from: from + fault.start,
        to: Math.min(from + Math.max(fault.end, fault.start + 1), from + text.length),
        severity: fault.kind === 'ignored' ? 'warning' : 'error',
        message: fault.kind === 'ignored' ? `${ignored} ${fault.reason}` : fault.reason,
      });
  }
  return found;
}

const options: readonly Completion[] = modifiers.map(({ name, like, takesValue }) => ({
  label: name,
  detail: like,
  apply: takesValue ? `${name}=` : name,
}));

/** Behind the `$` of a rule and behind each comma after it. */
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

function coloured({ state, visibleRanges }: EditorView): DecorationSet {
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
      this.decorations = coloured(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = coloured(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
