import { type GeoIp, type GeoLocation, openGeoIp } from '../platform/geoip.ts';

const MAX_KNOWN = 10_000;
const LOOK_AGAIN_MS = 60_000;

export type LocationOf = (address: Uint8Array) => GeoLocation;

/**
 * GeoIP lookup of one thread. Files are opened on the first lookup and checked once a minute; the ingest thread
 * reports their errors.
 */
export function geoipLookup(
  files: readonly string[],
  ticks: () => number = () => performance.now(),
): LocationOf | undefined {
  if (files.length === 0) return undefined;
  const cached = new Map<string, GeoLocation>();
  let database: GeoIp | undefined;
  let lookedAt = 0;

  const current = (): GeoIp => {
    if (database && ticks() - lookedAt < LOOK_AGAIN_MS) return database;
    if (database) database.refresh();
    else database = openGeoIp(files, () => {});
    lookedAt = ticks();
    cached.clear();
    return database;
  };

  return (address) => {
    const source = current();
    const key = Buffer.from(address.buffer, address.byteOffset, address.length).toString('latin1');
    const before = cached.get(key);
    if (before) return before;
    if (cached.size >= MAX_KNOWN) cached.clear();
    const location = source.of(address);
    cached.set(key, location);
    return location;
  };
}
