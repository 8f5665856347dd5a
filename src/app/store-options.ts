import { join } from 'node:path';
import type { LogLocation } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';

export type StoreSettings = Pick<Settings, 'data' | 'database'> &
  Partial<Pick<Settings, 'queryLog' | 'queryLogSpoolBytes'>>;

/** Query records that could not be sent yet. */
export const spoolFolder = (data: string): string => join(data, 'query-log-spool');

export function logOptions({ data, database, queryLog, queryLogSpoolBytes }: StoreSettings): LogLocation {
  if (queryLog !== undefined && queryLogSpoolBytes !== undefined)
    return { clickhouse: queryLog, spool: { folder: spoolFolder(data), maxBytes: queryLogSpoolBytes } };
  if (queryLog !== undefined) return { clickhouse: queryLog };
  return database === undefined ? { folder: join(data, 'log') } : { postgres: database };
}

export const storeOptions = ({ data, database }: Pick<Settings, 'data' | 'database'>) =>
  database === undefined ? { folder: data } : { postgres: database };
