import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { dataFile } from '../platform/thread-file.ts';

/** Lengths of the prefixes that the IEEE assigns, the longest first: MA-S, MA-M and MA-L. */
export const PREFIX_BITS = [36, 28, 24] as const;

export type VendorTable = { readonly of: (mac: string) => string | undefined };

type Prefixes = { readonly prefixes: Float64Array | Uint32Array; readonly vendors: Uint16Array };

/** Reads the table when it is first used. */
export function openVendors(): VendorTable['of'] {
  let table: VendorTable | undefined;
  return (mac) => {
    table ??= readVendors(brotliDecompressSync(readFileSync(dataFile('network-clients/vendors.br'))));
    return table.of(mac);
  };
}

/**
 * Layout: vendor names in UTF-8, one per line, and a zero byte; then for each length of prefixes their number, the sorted prefixes as
 * differences, and the number of the line of each vendor. Numbers are unsigned LEB128.
 */
export function readVendors(bytes: Uint8Array): VendorTable {
  const namesEnd = bytes.indexOf(0);
  const names = bytes.slice(0, namesEnd);
  const starts = lineStarts(names);
  const next = numberReader(bytes, namesEnd + 1);
  const tables = PREFIX_BITS.map((bits) => ({ bits, ...readPrefixes(next, bits) }));
  const nameOf = (vendor: number): string =>
    Buffer.from(names.subarray(starts[vendor], starts[vendor + 1]! - 1)).toString('utf8');
  return {
    of(mac) {
      const address = Number.parseInt(mac.replaceAll(':', ''), 16);
      for (const { bits, prefixes, vendors } of tables) {
        const at = indexOf(prefixes, Math.floor(address / 2 ** (48 - bits)));
        if (at !== -1) return nameOf(vendors[at]!);
      }
      return undefined;
    },
  };
}

/** The start of each line, and the start of the line after the last. */
function lineStarts(names: Uint8Array): Uint32Array {
  const starts = [0];
  for (let at = 0; at < names.length; at++) if (names[at] === 0x0a) starts.push(at + 1);
  return Uint32Array.from(starts);
}

function readPrefixes(next: () => number, bits: number): Prefixes {
  const count = next();
  // Numbers of 36 bits do not fit into 32.
  const prefixes = bits > 32 ? new Float64Array(count) : new Uint32Array(count);
  let prefix = 0;
  for (let i = 0; i < count; i++) {
    prefix += next();
    prefixes[i] = prefix;
  }
  const vendors = new Uint16Array(count);
  for (let i = 0; i < count; i++) vendors[i] = next();
  return { prefixes, vendors };
}

function numberReader(bytes: Uint8Array, start: number): () => number {
  let at = start;
  return () => {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!;
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
    }
  };
}

function indexOf(sorted: Prefixes['prefixes'], prefix: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === prefix) return middle;
    if (sorted[middle]! < prefix) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
