import type { Deps, SystemState } from '../api/deps.ts';
import type { backupsIn } from '../operations/backups.ts';
import { version } from '../platform/version.ts';
import type { QueryLog } from '../query-log/open-query-log.ts';
import type { Settings } from '../settings/settings.ts';
import type { FromResolver } from './management.ts';

type Sources = {
  readonly settings: Pick<Settings, 'database'>;
  readonly records: Pick<QueryLog, 'stats'>;
  readonly backups: Pick<ReturnType<typeof backupsIn>, 'last'>;
  readonly http: () => SystemState['listeners'];
  readonly resolver: Pick<FromResolver, 'dnsState'>;
};

/** What the operator is told of the installation. */
export function systemOf({ settings, records, backups, http, resolver }: Sources): Deps['system'] {
  const startedAt = Date.now();
  return async () => {
    const [dns, figures, lastBackup] = await Promise.all([resolver.dnsState(), records.stats(), backups.last()]);
    return {
      version,
      nodeVersion: process.versions.node,
      database: settings.database === undefined ? 'sqlite' : 'postgres',
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      listeners: [...http(), ...(dns?.listeners ?? [])],
      dns,
      records: figures,
      lastBackup,
    };
  };
}
