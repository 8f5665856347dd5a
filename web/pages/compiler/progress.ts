/** Progress of one source. */
export type SourceState = {
  readonly name: string;
  readonly state: 'waiting' | 'reading' | 'done' | 'failed';
  /** From 0 to 1; undefined while the size is unknown. */
  readonly share: number | undefined;
  readonly lines: number;
  readonly error?: string;
};

type StepState = { readonly name: string; readonly before: number; readonly after: number | undefined };

export type Progress = { readonly sources: readonly SourceState[]; readonly steps: readonly StepState[] };

type SourceEvent = { readonly sourceIndex: number };
type EventData = SourceEvent & {
  readonly phase?: string;
  readonly current: number;
  readonly total: number;
  readonly ruleCount: number;
  readonly error: string;
  readonly name: string;
  readonly inputCount: number;
  readonly outputCount: number;
};

export const initialProgress = (names: readonly string[]): Progress => ({
  sources: names.map((name) => ({ name, state: 'waiting', share: 0, lines: 0 })),
  steps: [],
});

/** Applies one event of the stream. */
export function applyEvent({ sources, steps }: Progress, event: string, data: unknown): Progress {
  const eventData = data as EventData;
  const withSource = (change: Partial<SourceState>): Progress => ({
    sources: sources.map((source, at) => (at === eventData.sourceIndex ? { ...source, ...change } : source)),
    steps,
  });
  switch (event) {
    case 'source:start':
      return withSource({ state: 'reading', share: undefined });
    case 'progress':
      // If the size is unknown, the service sends the received amount as the total.
      return eventData.phase === 'sources'
        ? withSource({ share: eventData.current < eventData.total ? eventData.current / eventData.total : undefined })
        : { sources, steps };
    case 'source:complete':
      return withSource({ state: 'done', share: 1, lines: eventData.ruleCount });
    case 'source:error':
      return withSource({ state: 'failed', share: 1, error: eventData.error });
    case 'transformation:start':
      return { sources, steps: [...steps, { name: eventData.name, before: eventData.inputCount, after: undefined }] };
    case 'transformation:complete': {
      const at = steps.findLastIndex(({ name, after }) => name === eventData.name && after === undefined);
      return {
        sources,
        steps: steps.map((step, index) => (index === at ? { ...step, after: eventData.outputCount } : step)),
      };
    }
    default:
      return { sources, steps };
  }
}
