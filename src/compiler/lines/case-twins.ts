import { isComment } from './line-kind.ts';
import { type Lines, lineText } from './lines.ts';
import { nextCapital } from './words.ts';

const LF = 0x0a;
const SIGNATURES = 2 ** 16;

/** How many rules of a list stand in it both with capital letters and without. */
export function countCaseTwins(file: Uint8Array, lines: Lines): number {
  const lowered = new Map<string, number>();
  const signatures = new Uint8Array(SIGNATURES);
  for (const rule of rulesWithCapitals(file)) {
    const text = rule.toLowerCase();
    lowered.set(text, (lowered.get(text) ?? 0) + 1);
    const bytes = new TextEncoder().encode(text);
    signatures[signature(bytes, 0, bytes.length)] = 1;
  }
  return lowered.size === 0 ? 0 : countIn(lines, signatures, lowered);
}

function countIn(lines: Lines, signatures: Uint8Array, lowered: ReadonlyMap<string, number>): number {
  const { start, end, count, text } = lines;
  let twins = 0;
  for (let at = 0; at < count; at++) {
    if (signatures[signature(text.bytes, start[at]!, end[at]!)] === 1) twins += lowered.get(lineText(lines, at)) ?? 0;
  }
  return twins;
}

/** A byte and the length: enough to pass over nearly every line without reading it. */
const signature = (bytes: Uint8Array, start: number, end: number): number =>
  ((end - start) * 31 + bytes[(start + end) >>> 1]! * 257) & (SIGNATURES - 1);

function* rulesWithCapitals(file: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let at = nextCapital(file, 0); at !== -1; ) {
    const start = file.lastIndexOf(LF, at) + 1;
    const found = file.indexOf(LF, at);
    const end = found === -1 ? file.length : found;
    if (!isComment(file, start, end)) yield decoder.decode(file.subarray(start, end));
    at = nextCapital(file, end);
  }
}
