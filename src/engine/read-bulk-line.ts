import { DOMAIN_FORM, LOOPBACK_FORM, NAME_FORM, ZERO_FORM } from './bare-forms.ts';
import { bareKind } from './bare-kinds.ts';

/** A line that is nothing but one name in one of the usual forms, as most lines of all lists are. */
export type BulkLine = {
  kind: number;
  form: number;
  /** The name as it stands on the wire. Longer than any name, so that it can be read in words. */
  readonly name: Uint8Array;
};

const MAX_NAME = 255;
const MAX_LABEL = 63;

export const createBulkLine = (): BulkLine => ({ kind: 0, form: 0, name: new Uint8Array(MAX_NAME + 4) });

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

// What may stand in front of a name and behind it. The first whose front fits is taken.
const shapes = [
  { before: ascii('||'), isClosed: true, kind: bareKind(false, 'domain'), form: DOMAIN_FORM },
  { before: ascii('@@||'), isClosed: true, kind: bareKind(true, 'domain'), form: DOMAIN_FORM },
  { before: ascii('0.0.0.0 '), isClosed: false, kind: bareKind(false, 'exact'), form: ZERO_FORM },
  { before: ascii('127.0.0.1 '), isClosed: false, kind: bareKind(false, 'exact'), form: LOOPBACK_FORM },
  { before: ascii(''), isClosed: false, kind: bareKind(false, 'exact'), form: NAME_FORM },
] as const;

const DOT = 0x2e;
const CARET = 0x5e;
const SMALL_A = 0x61;
const SMALL_L = 0x6c;
const SMALL_Z = 0x7a;

const isNameByte = new Uint8Array(256);
for (const byte of ascii('abcdefghijklmnopqrstuvwxyz0123456789-_')) isNameByte[byte] = 1;

/**
 * Reads a line if it is of the simplest kind. False says nothing about it: whatever needs a second thought, be it a
 * capital, an address, a single label or a name that may be a machine's own (`localhost.localdomain`), is left to
 * the parser, which must understand each line that is read here in the same way.
 */
export function readBulkLine(bytes: Uint8Array, start: number, end: number, into: BulkLine): boolean {
  const shape = shapes.find(({ before }) => startsWith(bytes, start, end, before))!;
  const nameStart = start + shape.before.length;
  const nameStop = shape.isClosed ? end - 1 : end;
  if (shape.isClosed && bytes[nameStop] !== CARET) return false;
  into.kind = shape.kind;
  into.form = shape.form;
  const top = copyName(bytes, nameStart, nameStop, into.name);
  return top >= SMALL_A && top <= SMALL_Z && (top !== SMALL_L || shape.isClosed);
}

function startsWith(bytes: Uint8Array, start: number, end: number, before: Uint8Array): boolean {
  if (end - start < before.length) return false;
  for (let at = 0; at < before.length; at++) if (bytes[start + at] !== before[at]) return false;
  return true;
}

/** Copies a name of several labels in wire form and gives the first byte of its last label; 0 if it is no such name. */
function copyName(bytes: Uint8Array, start: number, end: number, name: Uint8Array): number {
  if (end - start > MAX_NAME - 2) return 0;
  let label = 0;
  let to = 1;
  for (let at = start; at < end; at++, to++) {
    const byte = bytes[at]!;
    if (isNameByte[byte] === 1) {
      name[to] = byte;
      continue;
    }
    const length = to - label - 1;
    if (byte !== DOT || length === 0 || length > MAX_LABEL) return 0;
    name[label] = length;
    label = to;
  }
  const length = to - label - 1;
  if (label === 0 || length === 0 || length > MAX_LABEL) return 0;
  name[label] = length;
  name[to] = 0;
  return name[label + 1]!;
}
