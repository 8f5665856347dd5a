/** A list without what says when it was made: a line of its header, and the serial of a policy zone. */
export function withoutDate(list: Uint8Array): Uint8Array {
  const buffer = Buffer.from(list.buffer, list.byteOffset, list.length);
  const header = buffer.subarray(0, MAX_HEADER).toString('latin1');
  const dates = [/^[!#;] Last modified: (.*)$/m, /^\$TTL \d+\n@ SOA (.*)$/m].flatMap((pattern) =>
    placeOf(header, pattern),
  );
  return dates.length === 0 ? list : without(buffer, dates);
}

// Both stand above the rules.
const MAX_HEADER = 64 * 1024;

type Place = readonly [start: number, end: number];

/** Where what the pattern captures stands. */
function placeOf(header: string, pattern: RegExp): Place[] {
  const found = pattern.exec(header);
  if (!found) return [];
  const end = found.index + found[0].length;
  return [[end - found[1]!.length, end]];
}

function without(list: Buffer, places: readonly Place[]): Buffer {
  const sorted = places.toSorted(([a], [b]) => a - b);
  const starts = [0, ...sorted.map(([, end]) => end)];
  const ends = [...sorted.map(([start]) => start), list.length];
  return Buffer.concat(starts.map((start, at) => list.subarray(start, ends[at])));
}
