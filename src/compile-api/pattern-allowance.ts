import type { CompileEvent, Configuration } from '../compiler/index.ts';

type StepStarted = Extract<CompileEvent, { kind: 'step started' }>;

const BASE_MS = 1500;
const MAX_MS = 10_000;
// Sound expressions take a tenth of this for a line; those that run away take for ever.
const MS_PER_TRY = 0.002;
// How many expressions a file of patterns has shows too late, so that it is taken to have some.
const EXPRESSIONS_OF_A_FILE = 50;

/** How long a step may take that runs expressions which users wrote; 0 for any other step, which takes what it takes. */
export function patternAllowanceMs(configuration: Configuration, { step, index, before }: StepStarted): number {
  if (step !== 'exclusions' && step !== 'inclusions') return 0;
  const level = index === undefined ? configuration : configuration.sources[index];
  const expressions = level?.[step]?.filter((pattern) => pattern.length > 2 && pattern.startsWith('/')).length ?? 0;
  const files = level?.[`${step}_sources`]?.length ?? 0;
  if (expressions + files === 0) return 0;
  const tries = before * (expressions + files * EXPRESSIONS_OF_A_FILE);
  return Math.min(MAX_MS, BASE_MS + tries * MS_PER_TRY);
}
