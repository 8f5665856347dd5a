import type { CompiledList, UnsupportedRule } from '../compiler/index.ts';

/** Lists every dropped rule: one JSON object per line if the file name says so, otherwise text. */
export function explainText(list: CompiledList, unsupported: readonly UnsupportedRule[], file: string): Uint8Array {
  const { sources } = list.report;
  const nameOf = (index: number): string => sources[index]?.name ?? '';
  const all = [
    ...list.dropped,
    ...unsupported.map(({ rule, source, line, reason }) => ({
      rule,
      source: nameOf(source),
      line,
      step: 'format',
      reason,
    })),
  ];
  const toLine = /\.jsonl?$/i.test(file)
    ? JSON.stringify
    : ({ rule, source, line, step, reason }: (typeof all)[number]): string =>
        `${source}:${line}: ${rule}\n    ${step}: ${reason}`;
  return Buffer.from(all.map((dropped) => `${toLine(dropped)}\n`).join(''));
}
