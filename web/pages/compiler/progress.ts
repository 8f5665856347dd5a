/** How far one source is. */
export type SourceState = {
  readonly name: string;
  readonly state: 'waiting' | 'reading' | 'done' | 'failed';
  /** From 0 to 1; undefined while its length is not known. */
  readonly share: number | undefined;
  readonly lines: number;
  readonly error?: string;
};

type StepState = { readonly name: string; readonly before: number; readonly after: number | undefined };

export type Progress = { readonly sources: readonly SourceState[]; readonly steps: readonly StepState[] };

type AboutSource = { readonly sourceIndex: number };
type Told = AboutSource & {
  readonly phase?: string;
  readonly current: number;
  readonly total: number;
  readonly ruleCount: number;
  readonly error: string;
  readonly name: string;
  readonly inputCount: number;
  readonly outputCount: number;
};

export const startOf = (names: readonly string[]): Progress => ({
  sources: names.map((name) => ({ name, state: 'waiting', share: 0, lines: 0 })),
  steps: [],
});

/** What is to be drawn after one more event of the stream. */
export function follow({ sources, steps }: Progress, event: string, data: unknown): Progress {
  const told = data as Told;
  const withSource = (change: Partial<SourceState>): Progress => ({
    sources: sources.map((source, at) => (at === told.sourceIndex ? { ...source, ...change } : source)),
    steps,
  });
  switch (event) {
    case 'source:start':
      return withSource({ state: 'reading', share: undefined });
    case 'progress':
      // Without a length the service tells what has come as the whole.
      return told.phase === 'sources'
        ? withSource({ share: told.current < told.total ? told.current / told.total : undefined })
        : { sources, steps };
    case 'source:complete':
      return withSource({ state: 'done', share: 1, lines: told.ruleCount });
    case 'source:error':
      return withSource({ state: 'failed', share: 1, error: told.error });
    case 'transformation:start':
      return { sources, steps: [...steps, { name: told.name, before: told.inputCount, after: undefined }] };
    case 'transformation:complete': {
      const at = steps.findLastIndex(({ name, after }) => name === told.name && after === undefined);
      return {
        sources,
        steps: steps.map((step, place) => (place === at ? { ...step, after: told.outputCount } : step)),
      };
    }
    default:
      return { sources, steps };
  }
}
