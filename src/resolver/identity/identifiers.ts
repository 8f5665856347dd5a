import { type ClientIdentifier, isPattern } from '../../domain/client-identifiers.ts';
import { addressBytes, addressKey } from './address-key.ts';
import type { KnownDevice } from './directory.ts';
import type { HostFacts } from './host-table.ts';
import { namePatterns } from './name-patterns.ts';
import { networkTable } from './network-table.ts';

/** An identifier of a device, or a linked address, in the form in which clients are compared with it. */
export type KnownIdentifier = {
  readonly kind: ClientIdentifier['kind'] | 'linked address';
  readonly value: string;
  readonly identity: KnownDevice;
};

type Table = {
  readonly set: (key: string, identifier: KnownIdentifier) => void;
  /** Removes the key only if it still has this identifier, because another account may have taken it. */
  readonly delete: (key: string, identifier: KnownIdentifier) => void;
};

/** The identifiers of the devices of all accounts. */
export function createIdentifiers() {
  const macs = exactTable();
  const addresses = exactTable(keyOfAddress);
  const linked = exactTable(keyOfAddress);
  const names = exactTable();
  const patterns = namePatterns<KnownIdentifier>();
  const networks = networkTable<KnownIdentifier>();

  const tableOf = ({ kind, value }: KnownIdentifier): Table => {
    switch (kind) {
      case 'mac':
        return macs;
      case 'address':
        return addresses;
      case 'linked address':
        return linked;
      case 'network':
        return networks;
      case 'host name':
        return isPattern(value) ? patterns : names;
    }
  };

  return {
    add: (identifier: KnownIdentifier): void => tableOf(identifier).set(identifier.value, identifier),
    remove: (identifier: KnownIdentifier): void => tableOf(identifier).delete(identifier.value, identifier),
    /** All identifiers that match a client, most specific first: see docs/resolver.md. */
    *matching(facts: HostFacts): Generator<KnownIdentifier> {
      if (facts.mac !== undefined) yield* macs.find(facts.mac);
      for (const address of facts.addresses) {
        yield* addresses.find(addressKey(address));
        yield* linked.find(addressKey(address));
      }
      for (const name of facts.names) yield* names.find(name);
      if (facts.names.length > 0) yield* patterns.find(facts.names);
      for (const address of facts.addresses) yield* networks.findAll(address);
    },
  };
}

const keyOfAddress = (text: string): string | undefined => {
  const bytes = addressBytes(text);
  return bytes && addressKey(bytes);
};

const NONE: readonly KnownIdentifier[] = [];

function exactTable(keyOf: (value: string) => string | undefined = (value) => value) {
  const found = new Map<string, readonly [KnownIdentifier]>();
  return {
    set(value: string, identifier: KnownIdentifier): void {
      const key = keyOf(value);
      if (key !== undefined) found.set(key, [identifier]);
    },
    delete(value: string, identifier: KnownIdentifier): void {
      const key = keyOf(value);
      if (key !== undefined && found.get(key)?.[0] === identifier) found.delete(key);
    },
    find: (key: string): readonly KnownIdentifier[] => found.get(key) ?? NONE,
  };
}
