import { masked, parseNetwork } from '../../kit/ip-network.ts';
import { v4At } from './address-key.ts';

/** Values by network; an address has the value of the longest prefix that contains it. */
export function networkTable<Value>() {
  // Values by family and prefix length; the lengths are sorted, longest first.
  const tables = { V4: new Map<number, Map<string, Value>>(), V6: new Map<number, Map<string, Value>>() };
  const lengths: Record<keyof typeof tables, number[]> = { V4: [], V6: [] };

  return {
    set(text: string, value: Value): void {
      const network = parseNetwork(text);
      if (!network) return;
      const { family, bytes, prefix } = network;
      const values = tables[family].get(prefix) ?? new Map<string, Value>();
      tables[family].set(prefix, values.set(keyOf(bytes, prefix), value));
      lengths[family] = [...tables[family].keys()].sort((a, b) => b - a);
    },
    /** Removes the network only if it still has this value. */
    delete(text: string, value: Value): void {
      const network = parseNetwork(text);
      const values = network && tables[network.family].get(network.prefix);
      if (!values || values.get(keyOf(network.bytes, network.prefix)) !== value) return;
      values.delete(keyOf(network.bytes, network.prefix));
      if (values.size > 0) return;
      tables[network.family].delete(network.prefix);
      lengths[network.family] = lengths[network.family].filter((length) => length !== network.prefix);
    },
    /** Takes 4 or 16 bytes; an IPv4-mapped address is the IPv4 address. */
    find: (address: Uint8Array): Value | undefined => containing(address).next().value,
    /** Values of all networks that contain the address, longest prefix first. */
    findAll: containing,
  };

  function* containing(address: Uint8Array): Generator<Value, undefined> {
    const at = v4At(address);
    const family = at >= 0 ? 'V4' : 'V6';
    const bytes = at > 0 ? address.subarray(at) : address;
    for (const length of lengths[family]) {
      const value = tables[family].get(length)!.get(keyOf(bytes, length));
      if (value !== undefined) yield value;
    }
    return undefined;
  }
}

const keyOf = (bytes: ArrayLike<number>, prefix: number): string => String.fromCharCode(...masked(bytes, prefix));
