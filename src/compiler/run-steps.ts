import type { TransformationName } from './configuration.ts';
import type { DropLog, Step } from './drop-log.ts';
import type { CompileEvent } from './events.ts';
import { exclude, include } from './filters/line-filter.ts';
import { compact, type Lines } from './lines/lines.ts';
import { inOrder, runTransformation } from './pipeline.ts';
import type { Filters } from './sources/load-sources.ts';
import type { Drop } from './transformations/transformation.ts';

type StepEvent = Extract<CompileEvent, { kind: 'step started' | 'step finished' }>;

/** Exclusions, inclusions and transformations of one source, or of the whole list when `index` is undefined. */
export function* runSteps(
  lines: Lines,
  index: number | undefined,
  { exclude: excluded, include: included }: Filters,
  transformations: readonly TransformationName[],
  dropLog: DropLog,
): Generator<StepEvent> {
  const steps: [Step, (drop: Drop) => void][] = [];
  if (excluded) steps.push(['exclusions', (drop) => exclude(lines, excluded, drop)]);
  if (included) steps.push(['inclusions', (drop) => include(lines, included, drop)]);
  for (const name of inOrder(transformations)) steps.push([name, (drop) => runTransformation(name, lines, drop)]);

  for (const [step, run] of steps) {
    const before = lines.count;
    yield { kind: 'step started', step, index, before };
    run(dropLog.during(step, lines, index === undefined));
    compact(lines);
    yield { kind: 'step finished', step, index, before, after: lines.count, dropped: dropLog.takeRecent() };
  }
}
