import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';

type StoreSettings = Pick<Settings, 'data' | 'database'>;

export const logOptions = ({ data, database }: StoreSettings) =>
  database === undefined ? { folder: join(data, 'log') } : { postgres: database };

export const storeOptions = ({ data, database }: StoreSettings) =>
  database === undefined ? { folder: data } : { postgres: database };
