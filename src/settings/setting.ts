import type { Kind } from './setting-kinds.ts';

/** A setting without a default is undefined until somebody gives it; an empty default is an empty list. */
export type Setting = {
  readonly name: string;
  readonly kind: Kind;
  readonly default?: string;
  readonly section: (typeof sections)[number];
  readonly help: string;
};

export const sections = [
  'General',
  'Listening',
  'DNS',
  'Filtering',
  'DNS addresses',
  'Accounts',
  'Sources',
  'Limits',
  'Compilations',
  'Cache',
] as const;
