import type { LoadedFilters } from '../domain/protection-state.ts';
import type { Client } from '../resolver/identity/client.ts';
import type { UpstreamsStatus } from '../resolver/upstream/open-upstreams.ts';

/** Tables and lists that currently filter the queries of a DNS server, ignoring pauses and switches. */
export function loadedFilters(
  { policy, identity }: Pick<Client, 'policy' | 'identity'>,
  { upstreams }: Pick<UpstreamsStatus, 'upstreams'>,
  nowMs: number,
): LoadedFilters {
  const { full, missing, isPaused } = policy();
  // The state of custom upstreams is known only while they are in use.
  const usesOperators = identity.profile.settings.own.upstreams.length === 0;
  return {
    isFiltering: full.sources.length > 0,
    missing: [...new Set(missing)],
    isParentalPaused: isPaused(nowMs),
    areUpstreamsDown: usesOperators && upstreams.length > 0 && upstreams.every(({ state }) => state === 'out'),
  };
}
