import { readFileSync, statSync } from 'node:fs';
import { Reader, type Response } from 'mmdb-lib';
import { addressText } from '../kit/address-text.ts';

/** Location of an address; unknown fields are undefined. */
export type GeoLocation = {
  readonly country: string | undefined;
  readonly asn: number | undefined;
  readonly network: string | undefined;
};

export type GeoIp = {
  readonly of: (address: Uint8Array) => GeoLocation;
  /** Reopens changed files. */
  readonly refresh: () => void;
};

const nowhere: GeoLocation = { country: undefined, asn: undefined, network: undefined };

type Opened = { readonly file: string; readonly stamp: string; readonly reader: Reader<Response> | undefined };

/** Looks up addresses in database files. A missing or corrupt file is ignored until it changes. */
export function openGeoIp(files: readonly string[], onProblem: (problem: unknown) => void): GeoIp {
  const open = (file: string, stamp: string): Opened => {
    try {
      return { file, stamp, reader: stamp === '' ? undefined : new Reader(readFileSync(file)) };
    } catch (error) {
      onProblem(new Error(`${file}: cannot be read`, { cause: error }));
      return { file, stamp, reader: undefined };
    }
  };
  const reported = new Set<string>();
  const stampOf = (file: string): string => {
    try {
      const { mtimeMs, size, ino } = statSync(file);
      reported.delete(file);
      return `${mtimeMs} ${size} ${ino}`;
    } catch (error) {
      if (!reported.has(file)) onProblem(new Error(`${file}: cannot be found`, { cause: error }));
      reported.add(file);
      return '';
    }
  };
  let opened = files.map((file) => open(file, stampOf(file)));
  return {
    of(address) {
      if (opened.length === 0) return nowhere;
      const text = addressText(address);
      return opened.reduce<GeoLocation>((location, { reader }) => joined(location, found(reader, text)), nowhere);
    },
    refresh() {
      opened = opened.map((database) => {
        const stamp = stampOf(database.file);
        return stamp === database.stamp ? database : open(database.file, stamp);
      });
    },
  };
}

/** The first known value of each field. */
const joined = (one: GeoLocation, other: GeoLocation): GeoLocation => ({
  country: one.country ?? other.country,
  asn: one.asn ?? other.asn,
  network: one.network ?? other.network,
});

function found(reader: Reader<Response> | undefined, address: string): GeoLocation {
  try {
    return locationIn(reader?.get(address));
  } catch {
    // A corrupt entry, or an IPv6 address in an IPv4 database.
    return nowhere;
  }
}

type Facts = Readonly<Record<string, unknown>>;
const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null;

/** Publishers use MaxMind's field names or flat ones. */
function locationIn(entry: unknown): GeoLocation {
  if (!isFacts(entry)) return nowhere;
  const { country, registered_country: registered } = entry;
  const code = isFacts(country) ? country['iso_code'] : (entry['country_code'] ?? country);
  const fallback = isFacts(registered) ? registered['iso_code'] : undefined;
  const network = entry['autonomous_system_organization'] ?? entry['as_name'];
  return {
    country: countryCode(code) ?? countryCode(fallback),
    asn: systemNumber(entry['autonomous_system_number'] ?? entry['asn']),
    network: typeof network === 'string' && network !== '' ? network.slice(0, 200) : undefined,
  };
}

const countryCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined;

function systemNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value.replace(/^AS/i, '')) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 2 ** 32 ? number : undefined;
}
