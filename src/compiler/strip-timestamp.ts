/** Removes the timestamp of a list: the header line, and the serial of a response policy zone. */
export function stripTimestamp(list: Uint8Array): Uint8Array {
  // Latin-1, so that string indexes equal byte offsets.
  const header = new TextDecoder('latin1').decode(list.subarray(0, MAX_HEADER));
  const dates = [/^[!#;] Last modified: (.*)$/m, /^\$TTL \d+\n@ SOA (.*)$/m].flatMap((pattern) =>
    rangesOf(header, pattern),
  );
  return dates.length === 0 ? list : without(list, dates);
}

// Both occur before the rules.
const MAX_HEADER = 64 * 1024;

type Range = readonly [start: number, end: number];

/** Offsets of the captured text. */
function rangesOf(header: string, pattern: RegExp): Range[] {
  const found = pattern.exec(header);
  if (!found) return [];
  const end = found.index + found[0].length;
  return [[end - found[1]!.length, end]];
}

function without(list: Uint8Array, ranges: readonly Range[]): Uint8Array {
  const rest = new Uint8Array(list);
  let to = 0;
  let from = 0;
  for (const [start, end] of [...ranges.toSorted(([a], [b]) => a - b), [list.length, list.length] as const]) {
    rest.copyWithin(to, from, start);
    to += start - from;
    from = end;
  }
  return rest.subarray(0, to);
}
