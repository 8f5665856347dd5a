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

export const theme = createTheme({
  colors: { water },
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
