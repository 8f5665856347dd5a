import type { Deps } from '../api/deps.ts';
import type { Settings } from '../settings/settings.ts';
import { askServer } from './doctor/ask-server.ts';
import { examine } from './doctor/examine.ts';
import type { ResolverStatus } from './management.ts';

/** Checks and repairs that the operator starts from the web interface. */
export const maintenanceOf = (
  { clearCache, reloadCertificates }: Pick<ResolverStatus, 'clearCache' | 'reloadCertificates'>,
  settings: () => Settings,
): Deps['maintenance'] => ({
  askUpstream: (upstream) => askServer(upstream, settings().bootstrap),
  examine: () => examine(settings()),
  clearCache,
  reloadCertificates,
});
