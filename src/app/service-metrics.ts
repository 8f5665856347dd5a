import { Gauge } from 'prom-client';
import type { FeedState } from '../store/change-feed.ts';
import type { LogOutput } from './log-output.ts';
import type { Metrics } from './metrics.ts';

export function registerLogMetrics({ counter }: Metrics, { counts }: LogOutput): void {
  counter(
    'weir_log_write_errors_total',
    'Attempts to write the log that failed; each is retried.',
    () => counts().errors,
  );
  counter('weir_log_lines_lost_total', 'Log lines dropped because too many could not be written.', () => counts().lost);
}

type StoreState = {
  readonly areSettingsCurrent: () => boolean;
  readonly listenerFailures: () => number;
  readonly connections: () => Readonly<Record<string, number>> | undefined;
  readonly changes: () => FeedState;
};

export function registerStoreMetrics(
  { counter, gauge, registry }: Metrics,
  { areSettingsCurrent, listenerFailures, connections, changes }: StoreState,
): void {
  new Gauge({
    name: 'weir_database_connections',
    help: 'Connections to PostgreSQL by state: open, idle, and statements that wait for a connection.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(connections() ?? {})) this.set({ state }, count);
    },
  });
  gauge(
    'weir_dns_settings_are_current',
    'Whether DNS uses the current settings: 0 while the store is unavailable or a stored change is not applied yet.',
    () => Number(areSettingsCurrent()),
  );
  gauge(
    'weir_settings_revision',
    'Revision of the newest settings change that this node has read; it should be the same on all nodes of a database.',
    () => changes().revision,
  );
  gauge(
    'weir_settings_lag_seconds',
    'Time since this node was last up to date with all changes of the settings. Below 6 while the database can be read.',
    () => changes().lagMs / 1000,
  );
  counter(
    'weir_settings_apply_failures_total',
    'Attempts to apply a stored change of settings that failed or exceeded the timeout; each is retried.',
    listenerFailures,
  );
}
