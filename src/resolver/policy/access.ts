import type { ProfileSettings } from '../../domain/profile.ts';
import { networkSet } from '../identity/networks.ts';
import type { Scanners } from './known-scanners.ts';
import { namedBy } from './rule-attribution.ts';
import type { RuleTables } from './table-from-rules.ts';

/**
 * Whether a client may query a name. Without access the query is dropped and not recorded. Checked again for every alias target. Allocates
 * nothing.
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
  /** The owner of the rules. */
  readonly account?: string | undefined;
  /** Autonomous system of an address; called only for rules that need it. */
  readonly systemOf?: ((client: Uint8Array) => number | undefined) | undefined;
};

const isSystem = (entry: string): boolean => /^AS\d+$/.test(entry);
const allowAll: HasAccess = () => true;

export function compileAccess(
  access: AccessSettings,
  { secret, scanners, ruleTables, account, systemOf }: AccessDeps,
): HasAccess {
  if (!access.enabled) return allowAll;
  const isAllowed = clientsIn(access.allowedClients);
  const isBlocked = clientsIn(access.blockedClients);
  const isBlockedName = namedBy(access.blockedDomainRules, secret, { tables: ruleTables, account });
  const scannersToo = access.blockKnownScanners ? scanners : undefined;
  const isAboutSystems = [access.allowedClients, access.blockedClients].flat().some(isSystem);
  return (client, asnGiven, name, nameAt, type) => {
    const asn = asnGiven ?? (isAboutSystems ? systemOf?.(client) : undefined);
    // The allow list overrides the scanner list; blocked names apply to everyone.
    const isShutOut = !isAllowed(client, asn) && (isBlocked(client, asn) || scannersToo?.isScanner(client));
    if (isShutOut || isBlockedName(name, nameAt, type)) return false;
    return !scannersToo?.isProbe(name, nameAt, type);
  };
}

/** By address, network or autonomous system, in the format of `parseClientEntry`. */
function clientsIn(entries: readonly string[]): (client: Uint8Array, asn: number | undefined) => boolean {
  const isInNetworks = networkSet(entries);
  const systems = new Set(entries.filter(isSystem).map((entry) => Number(entry.slice(2))));
  return (client, asn) => isInNetworks(client) || (asn !== undefined && systems.has(asn));
}
