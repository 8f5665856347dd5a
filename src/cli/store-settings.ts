import { readSettings, type Settings } from '../app/settings.ts';
import type { Given } from './flags.ts';

/** Where the service keeps what it has, as its own settings say. */
export async function readStoreSettings(given: Given): Promise<Pick<Settings, 'data' | 'database'>> {
  const words = ['config', 'data', 'database'].flatMap((name) => {
    const value = given.get(name)?.[0];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const read = await readSettings({ words, env: process.env, cwd: process.cwd() });
  if (!read.ok) throw new Error(read.error.join('\n'));
  return read.value.settings;
}
