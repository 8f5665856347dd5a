import { isHostsLine } from '../../rules/hosts-line.ts';
import { isAllowRule, isComment } from '../lines/line-kind.ts';
import { lineText, replaceLine } from '../lines/lines.ts';
import type { Transformation } from './transformation.ts';

/** Turns every rule except hosts lines into an exception. */
export const invertAllow: Transformation = (lines) => {
  const { start, end } = lines;
  for (let at = 0; at < lines.count; at++) {
    const { bytes } = lines.text;
    const from = start[at]!;
    const to = end[at]!;
    if (from === to || isComment(bytes, from, to) || isAllowRule(bytes, from, to)) continue;
    const rule = lineText(lines, at);
    if (!isHostsLine(rule)) replaceLine(lines, at, `@@${rule}`);
  }
};
