import { BLOCK, end, number, set, start } from './block';
import { CR, LF, upTo, VECTOR } from './bytes';

let next: usize = 0;
let textEnd: usize = 0;
let nextNumber: i32 = 0;

export function beginLines(from: usize, to: usize, firstNumber: i32): void {
  next = from;
  textEnd = to;
  nextNumber = firstNumber;
}

/** Fills the block with the next lines and their numbers; returns how many. */
export function splitLines(): i32 {
  let count = 0;
  for (; count < BLOCK && next < textEnd; count++) {
    const lineEnd = endOfLine(next, textEnd);
    set(start, count, next);
    set(end, count, lineEnd);
    set(number, count, nextNumber);
    next = endOfBreaks(lineEnd, textEnd);
    nextNumber += next - lineEnd === 1 ? 1 : countBreaks(lineEnd, next);
  }
  return count;
}

function isBreak(at: usize): bool {
  const byte = load<u8>(at);
  return byte === LF || byte === CR;
}

function endOfLine(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const low = upTo(at, CR);
    if (low === 0) {
      at += VECTOR;
      continue;
    }
    at += ctz(low);
    if (isBreak(at)) break;
    at++;
  }
  return min(at, to);
}

function endOfBreaks(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isBreak(at)) at++;
  return at;
}

/** Line breaks as editors count them: LF, CR or CRLF. */
export function countBreaks(from: usize, to: usize): i32 {
  let breaks = 0;
  for (let at = from; at < to; at++) {
    const byte = load<u8>(at);
    if (byte === LF || (byte === CR && !(at + 1 < to && load<u8>(at + 1) === LF))) breaks++;
  }
  return breaks;
}
