import { addressText } from '../../kit/address-text.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import type { GeoIp, GeoLocation } from '../../platform/geoip.ts';

/** Client fields of a record. */
export type ClientFacts = GeoLocation & { readonly subnet: string | undefined };

const MAX_KNOWN = 65_536;
// Distinguishes households but not single devices.
const keptBytes: Readonly<Record<number, readonly [bytes: number, length: string]>> = { 4: [3, '/24'], 16: [7, '/56'] };
const NO_CLIENT: ClientFacts = { country: undefined, asn: undefined, network: undefined, subnet: undefined };
/** The response has no address. */
const NOT_APPLICABLE = 'QN';

/** Assigns ids to facts about addresses, so each address is looked up once. */
export function createAddressFacts(geoIp: GeoIp, hasGeoIp: boolean) {
  const clients = new Map<number | string, number>();
  const facts: ClientFacts[] = [];
  const countries: (string | undefined)[] = [];
  const answers = new Map<number | string, number>();
  const numberOfCountry = (country: string | undefined): number => {
    const index = countries.indexOf(country);
    return index === -1 ? countries.push(country) - 1 : index;
  };
  const clear = (): void => {
    clients.clear();
    answers.clear();
    facts.length = 0;
    facts.push(NO_CLIENT);
    countries.length = 0;
    countries.push(undefined, NOT_APPLICABLE);
  };
  clear();

  return {
    /** 0 if nothing is known or may be stored. */
    client(address: Uint8Array, length: number, isKept: boolean): number {
      if (length === 0 || (!isKept && !hasGeoIp)) return 0;
      const key = keyOf(address, length, isKept);
      const cached = clients.get(key);
      if (cached !== undefined) return cached;
      const copy = address.slice(0, length);
      const number = facts.push({ ...geoIp.of(copy), subnet: isKept ? subnetOf(copy) : undefined }) - 1;
      clients.set(key, number);
      return number;
    },
    /** Id of the country of the first address in the answer. */
    answer(address: Uint8Array, length: number, rcode: number): number {
      if (length === 0 || rcode !== 0) return 1;
      if (!hasGeoIp) return 0;
      const key = keyOf(address, length, false);
      const cached = answers.get(key);
      if (cached !== undefined) return cached;
      const number = numberOfCountry(geoIp.of(address.slice(0, length)).country);
      answers.set(key, number);
      return number;
    },
    facts: (client: number): ClientFacts => facts[client]!,
    country: (answer: number): string | undefined => countries[answer],
    /** True if a GeoIP database is configured. */
    hasGeoIp,
    isFull: (): boolean => clients.size >= MAX_KNOWN || answers.size >= MAX_KNOWN,
    clear,
  };
}

export type AddressFacts = ReturnType<typeof createAddressFacts>;

function keyOf(address: Uint8Array, length: number, isKept: boolean): number | string {
  if (length !== 4)
    return `${Buffer.from(address.buffer, address.byteOffset, length).toString('latin1')}${isKept ? 1 : 0}`;
  const number = address[0]! * 2 ** 24 + ((address[1]! << 16) | (address[2]! << 8) | address[3]!);
  return number * 2 + (isKept ? 1 : 0);
}

/** The full address in a local network, where it identifies the client; only the network of a public address. */
function subnetOf(address: Uint8Array): string {
  if (isPrivateAddress(address, 0, address.length)) return addressText(address);
  const [bytes, length] = keptBytes[address.length]!;
  return `${addressText(address.fill(0, bytes))}${length}`;
}
