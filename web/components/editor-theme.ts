import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';

// The default highlight colours are made for white backgrounds; these replace them on dark pages.
const darkColours: Readonly<Record<string, string>> = {
  '#404740': '#b8c0b8',
  '#708': '#d9a5f0',
  '#219': '#a9b4ff',
  '#164': '#7fd6a4',
  '#a11': '#f0a8a0',
  '#e40': '#ffb38a',
  '#00f': '#9db8ff',
  '#30a': '#c0b0ff',
  '#085': '#7fd6a4',
  '#167': '#7fd0da',
  '#256': '#9fd0e0',
  '#00c': '#9db8ff',
  '#940': '#e8b88a',
  '#f00': '#ff9c9c',
};

/** Default syntax colours, adjusted for light and dark pages. */
export const editorColours = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => ({
    ...spec,
    ...(typeof color === 'string' && {
      color: `light-dark(${color === '#e40' ? '#b43a00' : color}, ${darkColours[color] ?? '#ddd'})`,
    }),
  })),
);

export const editorTheme = EditorView.theme({
  '&': {
    fontSize: '0.875rem',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', minHeight: '18rem', maxHeight: '32rem' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--mantine-color-dimmed)',
    borderInlineEnd: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-tooltip-lint': { maxWidth: 'min(32rem, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-primary-color-contrast)',
  },
  '.cm-completionInfo': { maxWidth: '22rem', padding: '0.4rem 0.6rem' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--mantine-primary-color-light-hover)',
  },
});
