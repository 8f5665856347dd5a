import type { Deps, SystemState } from '../api/deps.ts';
import { version } from '../platform/version.ts';
import type { QueryLog } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';
import type { backupFolder } from '../store/backup-folder.ts';
import type { ResolverStatus } from './management.ts';
import type { UpdateCheck } from './update-check.ts';

type Sources = {
  readonly settings: Pick<Settings, 'database'>;
  readonly records: Pick<QueryLog, 'stats'>;
  readonly backups: Pick<ReturnType<typeof backupFolder>, 'last'>;
  readonly http: () => SystemState['listeners'];
  readonly acme: () => SystemState['acme'];
  readonly resolver: Pick<ResolverStatus, 'dnsState'>;
  readonly updates: Pick<UpdateCheck, 'state'>;
};

/** The state of the installation for the operator. */
export function systemOf({ settings, records, backups, http, acme, resolver, updates }: Sources): Deps['system'] {
  const startedAt = Date.now();
  return async () => {
    const [dns, stats, lastBackup] = await Promise.all([resolver.dnsState(), records.stats(), backups.last()]);
    return {
      version,
      update: updates.state(),
      nodeVersion: process.versions.node,
      database: settings.database === undefined ? 'sqlite' : 'postgres',
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      listeners: [...http(), ...(dns?.listeners ?? [])],
      dns,
      acme: acme(),
      records: stats,
      lastBackup,
    };
  };
}
