import type { ProfileSettings } from '../../domain/profile.ts';
import { networkSet } from '../identity/networks.ts';
import type { Scanners } from './known-scanners.ts';
import { namedBy } from './rule-attribution.ts';
import type { RuleTables } from './table-from-rules.ts';

/**
 * Whether a client may ask for a name. Who may not gets no answer at all, and leaves no trace. To be asked again for every name that
 * the first one leads to. Allocates nothing.
 */
export type HasAccess = (
  client: Uint8Array,
  asn: number | undefined,
  name: Uint8Array,
  nameAt: number,
  type: number,
) => boolean;

type AccessSettings = ProfileSettings['access'];
export type AccessDeps = {
  readonly secret: Uint8Array;
  readonly scanners: Scanners;
  readonly ruleTables?: RuleTables | undefined;
  /** Whose network an address is in, where anybody knows; asked only for rules about that. */
  readonly systemOf?: ((client: Uint8Array) => number | undefined) | undefined;
};

const isSystem = (entry: string): boolean => /^AS\d+$/.test(entry);
const everybody: HasAccess = () => true;

export function compileAccess(
  access: AccessSettings,
  { secret, scanners, ruleTables, systemOf }: AccessDeps,
): HasAccess {
  if (!access.enabled) return everybody;
  const isAllowed = clientsIn(access.allowedClients);
  const isBlocked = clientsIn(access.blockedClients);
  const isBlockedName = namedBy(access.blockedDomainRules, secret, ruleTables);
  const scannersToo = access.blockKnownScanners ? scanners : undefined;
  const isAboutSystems = [access.allowedClients, access.blockedClients].flat().some(isSystem);
  return (client, asnGiven, name, nameAt, type) => {
    const asn = asnGiven ?? (isAboutSystems ? systemOf?.(client) : undefined);
    // Whom the owner lets in is let in, whoever else calls him a scanner; but no one may ask for a name that nobody may.
    const isShutOut = !isAllowed(client, asn) && (isBlocked(client, asn) || scannersToo?.isScanner(client));
    if (isShutOut || isBlockedName(name, nameAt, type)) return false;
    return !scannersToo?.isProbe(name, nameAt, type);
  };
}

/** By address, network or autonomous system, as `parseClientEntry` writes them. */
function clientsIn(entries: readonly string[]): (client: Uint8Array, asn: number | undefined) => boolean {
  const isInNetworks = networkSet(entries);
  const systems = new Set(entries.filter(isSystem).map((entry) => Number(entry.slice(2))));
  return (client, asn) => isInNetworks(client) || (asn !== undefined && systems.has(asn));
}
