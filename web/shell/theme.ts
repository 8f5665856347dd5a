import { createTheme, type MantineColorsTuple } from '@mantine/core';

// Colours of the logo, light to dark.
const water: MantineColorsTuple = [
  '#e6f7f8',
  '#d2ebee',
  '#a6d7dc',
  '#77c1ca',
  '#4fafba',
  '#2f9dab',
  '#178695',
  '#0b7285',
  '#075e6d',
  '#034a57',
];

// Inside the landmarks of the page. The list itself scrolls: a scroll area in it would need the keyboard focus.
const optionList = {
  defaultProps: { comboboxProps: { withinPortal: false, floatingStrategy: 'fixed' }, withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

// Darker than the default from shade 7 on: white text on a filled button has a contrast of 4.5:1.
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#c92a2a',
  '#b02525',
  '#a61e1e',
];

export const theme = createTheme({
  colors: { water, red },
  primaryColor: 'water',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  components: {
    // No upper case.
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    // Inside the landmarks of the page. The invisible placeholder is a child that a menu may not have.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    Select: optionList,
    MultiSelect: optionList,
    Autocomplete: optionList,
    // Text in the colour of the accent has a contrast of 4.5:1 on it.
    Table: {
      defaultProps: {
        highlightOnHoverColor: 'color-mix(in srgb, var(--mantine-color-default-hover) 50%, transparent)',
      },
    },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-sm)' } } },
  },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
});
