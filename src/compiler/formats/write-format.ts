import type { CompiledList } from '../compiled-list.ts';
import { isComment } from '../lines/line-kind.ts';
import { type Lines, lineText } from '../lines/lines.ts';
import { createText, type Text } from '../lines/text.ts';
import type { Dialect } from './format.ts';
import type { FormatName } from './format-names.ts';
import { createSpeaker } from './format-writer.ts';
import { dialects } from './formats.ts';
import { readList, trimmed } from './read-effects.ts';
import { writeComment, writeLine } from './write-lines.ts';

/** A rule that the output format cannot express, with the reason. */
export type UnsaidRule = {
  readonly rule: string;
  /** Source index and line number. */
  readonly source: number;
  readonly line: number;
  readonly reason: string;
};

type WrittenList = { readonly bytes: Uint8Array; readonly unsaid: readonly UnsaidRule[] };

type Writable = Pick<CompiledList, 'header' | 'lines' | 'bytes'>;

/** Writes the list in the given format. Rules that it cannot express are omitted and reported. */
export const writeFormat = (list: Writable, format: FormatName): WrittenList =>
  format === 'adblock' ? { bytes: list.bytes, unsaid: [] } : writeDialect(list, dialects[format]);

function writeDialect({ header, lines }: Writable, dialect: Dialect): WrittenList {
  const { statements, whyNot } = readList(lines);
  const body = createText();
  const speaker = createSpeaker(statements, dialect, body);
  const unsaid: UnsaidRule[] = [];
  for (let at = 0; at < lines.count; at++) {
    writeRemark(body, dialect, lines, at);
    const unsayable = speaker.sayLine(at);
    const reason = whyNot.get(at) ?? unsayable;
    if (reason === undefined) continue;
    unsaid.push({ rule: lineText(lines, at), source: lines.source[at]!, line: lines.number[at]!, reason });
  }
  speaker.sayRest();
  return { bytes: joined(writeHead(header, dialect, unsaid.length), body), unsaid };
}

function writeRemark(body: Text, { comment }: Dialect, lines: Lines, at: number): void {
  const { bytes, start, end } = trimmed(lines, at);
  // A trailing empty line only asks for a final line break, which these formats always have.
  if (start === end && at < lines.count - 1) writeLine(body, '');
  else if (isComment(bytes, start, end)) writeComment(body, comment, bytes, start + 1, end);
}

function writeHead(header: readonly string[], dialect: Dialect, unsaid: number): Text {
  const head = createText();
  const encoder = new TextEncoder();
  const count = `${unsaid} ${unsaid === 1 ? 'rule' : 'rules'} of the list cannot be said in this format`;
  for (const line of [...header, `! ${dialect.remark}`, ...(unsaid > 0 ? [`! ${count}`] : []), '!']) {
    const bytes = encoder.encode(line);
    writeComment(head, dialect.comment, bytes, Math.min(1, bytes.length), bytes.length);
  }
  for (const line of dialect.opening(header)) writeLine(head, line);
  return head;
}

function joined(head: Text, body: Text): Uint8Array {
  const file = new Uint8Array(head.length + body.length);
  file.set(head.bytes.subarray(0, head.length));
  file.set(body.bytes.subarray(0, body.length), head.length);
  return file;
}
