import type { Settings } from '../settings/settings.ts';

/** Maximum time without traffic in either direction. A compilation sends nothing until it is complete. */
export const httpTimeoutMs = ({ compileTimeSeconds }: Pick<Settings, 'compileTimeSeconds'>): number =>
  (compileTimeSeconds + 60) * 1000;
