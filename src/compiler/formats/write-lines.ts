import { appendString, reserve, type Text } from '../lines/text.ts';

const LF = 0x0a;
const SPACE = 0x20;
const DELETE = 0x7f;

// dnsmasq reads 1024 bytes at a time and treats the rest as another line.
const LONGEST_COMMENT = 500;
const LONGEST_CHARACTER = 4;

/**
 * Writes a comment with another comment marker: control characters become spaces and long text is wrapped, so that every
 * reader treats it as a comment.
 */
export function writeComment(file: Text, mark: string, bytes: Uint8Array, start: number, end: number): void {
  let from = start;
  do {
    const to = endOfPart(bytes, from, end);
    appendString(file, from < to && bytes[from] !== SPACE ? `${mark} ` : mark);
    const target = reserve(file, to - from + 1);
    for (let at = from; at < to; at++) target[file.length++] = isControl(bytes[at]!) ? SPACE : bytes[at]!;
    target[file.length++] = LF;
    from = to;
  } while (from < end);
}

/** Splits at a character boundary if there is one. */
function endOfPart(bytes: Uint8Array, start: number, end: number): number {
  let to = start + LONGEST_COMMENT;
  if (to >= end) return end;
  while (to > start + LONGEST_COMMENT - LONGEST_CHARACTER && isInsideCharacter(bytes[to]!)) to--;
  return to;
}

const isInsideCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;

const isControl = (byte: number): boolean => byte < SPACE || byte === DELETE;

/** The bytes before and after the name in a line template. */
export type Template = { readonly before: Uint8Array; readonly behind: Uint8Array };

export function toTemplate(line: string): Template {
  const [before = '', behind = ''] = line.split('{}');
  const encoder = new TextEncoder();
  return { before: encoder.encode(before), behind: encoder.encode(`${behind}\n`) };
}

export function writeTemplate(
  file: Text,
  { before, behind }: Template,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const target = reserve(file, before.length + end - start + behind.length);
  let to = file.length;
  for (let at = 0; at < before.length; at++) target[to++] = before[at]!;
  for (let at = start; at < end; at++) target[to++] = bytes[at]!;
  for (let at = 0; at < behind.length; at++) target[to++] = behind[at]!;
  file.length = to;
}

export const writeLine = (file: Text, line: string): number => appendString(file, `${line}\n`);
