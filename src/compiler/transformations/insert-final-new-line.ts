import { isBlank } from '../lines/line-kind.ts';
import { addLine, type Lines } from '../lines/lines.ts';

/** Lines are joined by line breaks, so a final empty line produces a final line break. */
export function insertFinalNewLine(lines: Lines): void {
  const last = lines.count - 1;
  if (last >= 0 && isBlank(lines.text.bytes, lines.start[last]!, lines.end[last]!)) return;
  addLine(lines, 0, 0, 0, 0);
}
