import type { Report, SourceReport, StepReport } from './compiled-list.ts';
import type { Configuration } from './configuration.ts';
import type { DropLog } from './drop-log.ts';
import type { CompileEvent } from './events.ts';
import { countCaseDuplicates } from './lines/case-duplicates.ts';
import type { Lines } from './lines/lines.ts';
import { countKinds, detectFormat } from './lines/rule-kinds.ts';
import { sourceName } from './source-name.ts';
import type { Filters, Loaded } from './sources/load-sources.ts';

/** Collects the statistics of a compilation. */
export type Reporter = {
  note(event: CompileEvent): void;
  loaded(source: Loaded): Extract<CompileEvent, { kind: 'source finished' }>;
  filtersDone(level: string, filters: Filters): void;
  warnings(lines: Lines): readonly string[];
  /** Header lines for missing or stale sources. */
  annotations(): readonly string[];
  report(lines: Lines, dropLog: DropLog): Report;
};

export function createReporter({ sources }: Configuration): Reporter {
  const read = sources.map(
    (source): SourceReport => ({
      source: source.source,
      name: sourceName(source),
      outcome: 'read',
      format: 'empty',
      bytes: 0,
      lines: 0,
      kept: 0,
    }),
  );
  const steps: StepReport[] = [];
  const unusedPatterns: { where: string; pattern: string }[] = [];
  const warnings: string[] = [];

  return {
    note(event) {
      if (event.kind === 'step finished') {
        steps.push({ step: event.step, source: event.index, before: event.before, after: event.after });
      } else if (event.kind === 'source failed' && event.skipped) {
        read[event.index] = { ...read[event.index]!, outcome: 'skipped', error: event.error.message };
      }
    },
    loaded({ index, lines, bytes, stale }) {
      const format = detectFormat(lines);
      const outcome = stale ? 'stale' : 'read';
      read[index] = { ...read[index]!, outcome, format, bytes, lines: lines.count };
      return { kind: 'source finished', index, bytes, lines: lines.count, format };
    },
    filtersDone(level, { exclude, include }) {
      for (const [member, filter] of [['exclusions', exclude] as const, ['inclusions', include] as const]) {
        const where = level === '' ? member : `${level}.${member}`;
        for (const pattern of filter?.unused() ?? []) unusedPatterns.push({ where, pattern });
      }
    },
    warnings(lines) {
      const duplicates = countCaseDuplicates(lines);
      if (duplicates > 0)
        warnings.push(
          `${duplicates} rules differ from another only in upper and lower case; names are the same to DNS`,
        );
      for (const { name, outcome } of read) {
        if (outcome === 'stale') warnings.push(`${name} could not be downloaded; an earlier copy is used`);
      }
      return warnings;
    },
    annotations: () =>
      read.flatMap(({ source, outcome, error }) => {
        if (outcome === 'skipped') return [`Skipped source: ${source} (${error})`];
        return outcome === 'stale' ? [`Earlier copy used: ${source}`] : [];
      }),
    report(lines, dropLog) {
      const kept = new Int32Array(sources.length);
      for (let at = 0; at < lines.count; at++) if (lines.number[at] !== 0) kept[lines.source[at]!]!++;
      return {
        sources: read.map((source, index) => ({ ...source, kept: kept[index]! })),
        steps,
        kinds: countKinds(lines),
        overlaps: dropLog.overlaps(),
        unusedPatterns,
        warnings,
      };
    },
  };
}
