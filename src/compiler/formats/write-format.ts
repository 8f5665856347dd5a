import type { CompiledList } from '../compiled-list.ts';
import { isComment } from '../lines/line-kind.ts';
import { type Lines, lineText } from '../lines/lines.ts';
import { createText, type Text } from '../lines/text.ts';
import type { Format } from './format.ts';
import type { FormatName } from './format-names.ts';
import { createFormatWriter } from './format-writer.ts';
import { formats } from './formats.ts';
import { readList, trimmed } from './read-effects.ts';
import { writeComment, writeLine } from './write-lines.ts';

/** A rule that the output format cannot express, with the reason. */
export type UnsupportedRule = {
  readonly rule: string;
  /** Source index and line number. */
  readonly source: number;
  readonly line: number;
  readonly reason: string;
};

/** @deprecated use `UnsupportedRule`; removed in the next version. */
export type UnsaidRule = UnsupportedRule;

type WrittenList = {
  readonly bytes: Uint8Array;
  readonly unsupported: readonly UnsupportedRule[];
  /** @deprecated use `unsupported`; removed in the next version. */
  readonly unsaid: readonly UnsupportedRule[];
};

type Writable = Pick<CompiledList, 'header' | 'lines' | 'bytes'>;

/** Writes the list in the given format. Rules that it cannot express are omitted and reported. */
export const writeFormat = (list: Writable, format: FormatName): WrittenList =>
  format === 'adblock' ? { bytes: list.bytes, unsupported: [], unsaid: [] } : writeInFormat(list, formats[format]);

function writeInFormat({ header, lines }: Writable, format: Format): WrittenList {
  const { effects, whyNot } = readList(lines, format.whyNoRewrite);
  const body = createText();
  const writer = createFormatWriter(effects, format, body);
  const unsupported: UnsupportedRule[] = [];
  for (let at = 0; at < lines.count; at++) {
    writeAnnotation(body, format, lines, at);
    const unsayable = writer.writeRuleLine(at);
    const reason = whyNot.get(at) ?? unsayable;
    if (reason === undefined) continue;
    unsupported.push({ rule: lineText(lines, at), source: lines.source[at]!, line: lines.number[at]!, reason });
  }
  writer.writeRemaining();
  return { bytes: joined(writeHead(header, format, unsupported.length), body), unsupported, unsaid: unsupported };
}

function writeAnnotation(body: Text, { comment }: Format, lines: Lines, at: number): void {
  const { bytes, start, end } = trimmed(lines, at);
  // Skips a trailing empty line, which only adds a final line break. These formats always have one.
  if (start === end && at < lines.count - 1) writeLine(body, '');
  else if (isComment(bytes, start, end)) writeComment(body, comment, bytes, start + 1, end);
}

function writeHead(header: readonly string[], format: Format, unsupported: number): Text {
  const head = createText();
  const encoder = new TextEncoder();
  const count = `${unsupported} ${unsupported === 1 ? 'rule' : 'rules'} not supported by this format`;
  for (const line of [...header, `! ${format.annotation}`, ...(unsupported > 0 ? [`! ${count}`] : []), '!']) {
    const bytes = encoder.encode(line);
    writeComment(head, format.comment, bytes, Math.min(1, bytes.length), bytes.length);
  }
  for (const line of format.opening(header)) writeLine(head, line);
  return head;
}

function joined(head: Text, body: Text): Uint8Array {
  const file = new Uint8Array(head.length + body.length);
  file.set(head.bytes.subarray(0, head.length));
  file.set(body.bytes.subarray(0, body.length), head.length);
  return file;
}
