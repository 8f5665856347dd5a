import { scratchUint32 } from './scratch.ts';

const MAX_SORTED_MS = 2 ** 32;
/** For fewer rows, clearing the counters of the radix sort takes longer than a comparator. */
const FEW_ROWS = 2048;

/** Row numbers by time, newest first; in one millisecond, the later row first. */
export function newestOrder(times: Float64Array | Int32Array): Uint32Array {
  const { length } = times;
  const reversed = scratchUint32(length);
  // Rows mostly arrive in order.
  let isSorted = true;
  for (let row = 0; row < length; row += 1) {
    reversed[row] = length - 1 - row;
    if (row > 0 && times[row - 1]! > times[row]!) isSorted = false;
  }
  if (isSorted) return reversed;
  const sorted = length < FEW_ROWS ? undefined : orderByTime(times, reversed);
  return sorted ?? reversed.sort((one, other) => times[other]! - times[one]! || other - one);
}

/** Radix sort, many times faster than a comparator. Undefined if the range exceeds 32 bits. */
function orderByTime(times: Float64Array | Int32Array, reversed: Uint32Array): Uint32Array | undefined {
  let [first, last] = [times[0]!, times[0]!];
  for (const time of times) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  if (last - first >= MAX_SORTED_MS) return undefined;
  const ages = scratchUint32(times.length);
  for (let row = 0; row < ages.length; row += 1) ages[row] = last - times[row]!;
  const order = sortedByDigit(ages, reversed, 0);
  return last - first < DIGIT ? order : sortedByDigit(ages, order, DIGIT_BITS);
}

const DIGIT_BITS = 16;
const DIGIT = 2 ** DIGIT_BITS;

/** Stable counting sort by one digit. */
function sortedByDigit(ages: Uint32Array, order: Uint32Array, shift: number): Uint32Array {
  const ends = scratchUint32(DIGIT);
  for (let row = 0; row < ages.length; row += 1) ends[(ages[row]! >>> shift) & (DIGIT - 1)]! += 1;
  for (let digit = 1; digit < DIGIT; digit += 1) ends[digit]! += ends[digit - 1]!;
  const sorted = scratchUint32(order.length);
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const digit = (ages[order[index]!]! >>> shift) & (DIGIT - 1);
    ends[digit]! -= 1;
    sorted[ends[digit]!] = order[index]!;
  }
  return sorted;
}
