import { EditorView } from '@codemirror/view';

/**
 * Text typed over a selection. Browsers give it the styles of the deleted text as an inline style, which the content security policy
 * refuses with an error in the console.
 */
export const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    const isTyped = event.inputType === 'insertText' && !event.isComposing && event.data !== null;
    if (!isTyped || empty || state.readOnly || state.selection.ranges.length > 1) return false;
    const text = event.data;
    const insert = () => state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
