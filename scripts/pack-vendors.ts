import { PREFIX_BITS } from '../src/network-clients/vendors.ts';

export type Assignment = {
  readonly prefix: number;
  readonly bits: (typeof PREFIX_BITS)[number];
  readonly vendor: string;
};

/** Writes the layout that src/network-clients/vendors.ts reads. Frequent vendors have small numbers, which take fewer bytes. */
export function packVendors(assignments: readonly Assignment[]): Uint8Array {
  const byVendor = Map.groupBy(assignments, ({ vendor }) => vendor);
  const vendors = [...byVendor]
    .sort(([one, few], [other, many]) => many.length - few.length || (one < other ? -1 : 1))
    .map(([vendor]) => vendor);
  if (vendors.length > 0xffff) throw new Error(`${vendors.length} vendors: their numbers need more than 16 bits`);
  const numberOf = new Map(vendors.map((vendor, index) => [vendor, index]));
  const bytes: number[] = [...Buffer.from(vendors.map((vendor) => `${vendor}\n`).join('')), 0];
  const write = (value: number): void => {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  };
  for (const bits of PREFIX_BITS) {
    const sorted = assignments
      .filter((assignment) => assignment.bits === bits)
      .sort((one, other) => one.prefix - other.prefix);
    write(sorted.length);
    let last = 0;
    for (const { prefix } of sorted) {
      write(prefix - last);
      last = prefix;
    }
    for (const { vendor } of sorted) write(numberOf.get(vendor)!);
  }
  return Uint8Array.from(bytes);
}
