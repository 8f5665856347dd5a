import { readSettings, type Settings } from '../settings/settings.ts';
import type { Flags, Given } from './flags.ts';

export const storeFlags = {
  data: { value: 'FOLDER', help: 'data folder of the service (weir-data, or WEIR_DATA)' },
  database: { value: 'URL', help: 'PostgreSQL URL, if the accounts are stored there (or WEIR_DATABASE)' },
  'query-log': { value: 'URL', help: 'ClickHouse URL, if the query log is stored there (or WEIR_QUERY_LOG)' },
  config: { value: 'FILE', help: 'YAML file with the settings of the service' },
} as const satisfies Flags;

/** Data folder, database and query log from the settings of the service. */
export async function readStoreSettings(given: Given): Promise<Pick<Settings, 'data' | 'database' | 'queryLog'>> {
  const words = Object.keys(storeFlags).flatMap((name) => {
    const value = given.get(name)?.[0];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const read = await readSettings({ words, env: process.env, cwd: process.cwd() });
  if (!read.ok) throw new Error(read.error.join('\n'));
  for (const warning of read.value.warnings) console.error(`weir: ${warning}`);
  return read.value.settings;
}
