import type { CompiledList, ListDiff, Report, UnsupportedRule } from '../compiler/index.ts';
import { count, fileSize, plural } from './number-text.ts';

export type Summary = {
  readonly list: CompiledList;
  readonly output: string;
  readonly bytes: number;
  /** Whether the file already had this content. */
  readonly unchanged: boolean;
  readonly unsupported: readonly UnsupportedRule[];
  readonly diff: ListDiff | undefined;
  readonly seconds: number;
};

export function summaryJson({ list, output, bytes, unchanged, unsupported, diff, seconds }: Summary): string {
  const written = {
    output,
    bytes,
    unchanged,
    seconds,
    lines: list.header.length + list.lines.count,
    rules: ruleCount(list.report),
  };
  // `unsaid` is the former name of `unsupported`; it is written for one more version.
  return JSON.stringify({ ...written, unsupported, unsaid: unsupported, diff, ...list.report }, null, 2);
}

export function summaryText(summary: Summary, verbose: boolean): string {
  const { report } = summary.list;
  const sections = [
    [headline(summary)],
    report.sources.filter(({ outcome }) => outcome === 'skipped').map(({ error }) => `skipped ${error}`),
    report.warnings.map((warning) => `warning: ${warning}`),
    unsupportedLines(summary.unsupported, verbose),
    verbose ? details(report) : hints(report),
  ];
  return sections.flat().join('\n');
}

function headline({ list: { report }, output, bytes, unchanged, seconds }: Summary): string {
  const lines = report.sources.reduce((sum, source) => sum + source.lines, 0);
  const where = output === '-' ? 'standard output' : output;
  const written = unchanged ? `${where} is up to date` : `${where}, ${fileSize(bytes)}`;
  return `${plural(report.sources.length, 'source')}, ${plural(lines, 'line')} -> ${plural(ruleCount(report), 'rule')} in ${seconds.toFixed(1)} s (${written})`;
}

const ruleCount = ({ kinds }: Report): number =>
  Object.entries(kinds).reduce((sum, [kind, rules]) => sum + (kind === 'comment' || kind === 'empty' ? 0 : rules), 0);

function unsupportedLines(unsupported: readonly UnsupportedRule[], verbose: boolean): string[] {
  if (unsupported.length === 0) return [];
  const shown = verbose ? unsupported : unsupported.slice(0, 3);
  return [
    `${plural(unsupported.length, 'rule')} not supported by this format:`,
    ...shown.map(({ rule, reason }) => `  ${rule}: ${reason}`),
    ...(shown.length < unsupported.length ? ['  … (--verbose or --explain FILE lists all)'] : []),
  ];
}

const hints = ({ unusedPatterns }: Report): string[] =>
  unusedPatterns.length === 0
    ? []
    : [`${plural(unusedPatterns.length, 'exclusion or inclusion')} matched nothing (--verbose lists them)`];

function details(report: Report): string[] {
  const nameOf = (index: number): string => report.sources[index]?.name ?? '';
  return [
    'Sources:',
    ...report.sources.map(
      ({ name, format, lines, kept }) => `  ${name}: ${format}, ${plural(lines, 'line')}, ${count(kept)} kept`,
    ),
    'Steps:',
    ...report.steps.map(
      ({ step, source, before, after }) =>
        `  ${step}${source === undefined ? '' : ` of ${nameOf(source)}`}: ${count(before)} -> ${count(after)}`,
    ),
    'Rules by type:',
    ...Object.entries(report.kinds).map(([kind, rules]) => `  ${kind}: ${count(rules)}`),
    ...titled(
      'Rules that occur in several sources:',
      report.overlaps.map(({ source, of, rules }) => `${nameOf(source)} / ${nameOf(of)}: ${count(rules)}`),
    ),
    ...titled(
      'Unused patterns:',
      report.unusedPatterns.map(({ where, pattern }) => `${where}: ${pattern}`),
    ),
  ];
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
