import 'i18next';
import type { words } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'frame';
    resources: typeof words;
  }
}
