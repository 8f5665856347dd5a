import type { Settings } from '../settings/settings.ts';

/** How long a connection may have no traffic in either direction: a compilation sends nothing until it is done. */
export const httpTimeoutMs = ({ compileTimeSeconds }: Pick<Settings, 'compileTimeSeconds'>): number =>
  (compileTimeSeconds + 60) * 1000;
