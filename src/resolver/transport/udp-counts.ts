/** received = answered + sendFailed + missed + dropped + oversized + malformed. */
export const udpCountNames = [
  'received',
  'answered',
  'missed',
  'dropped',
  'sendFailed',
  // Larger than any valid query.
  'oversized',
  // From port 0, without a destination address, or with a malformed PROXY header.
  'malformed',
] as const;

export type UdpCount = (typeof udpCountNames)[number];

export type UdpCounter = { readonly counts: Float64Array; readonly count: (what: UdpCount, by: number) => void };

/** Each count has one writer, so plain additions suffice. */
export function udpCounter(counts = udpCountsMemory()): UdpCounter {
  return {
    counts,
    count(what, by) {
      const index = indexOf[what];
      counts[index] = counts[index]! + by;
    },
  };
}

const udpCountsMemory = (): Float64Array => new Float64Array(new SharedArrayBuffer(udpCountNames.length * 8));

const indexOf = Object.fromEntries(udpCountNames.map((name, index) => [name, index])) as Record<UdpCount, number>;

export const readUdpCounts = (counts: Float64Array): Readonly<Record<UdpCount, number>> =>
  Object.fromEntries(udpCountNames.map((name, index) => [name, counts[index]!])) as Record<UdpCount, number>;
